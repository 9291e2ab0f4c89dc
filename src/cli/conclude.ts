import type { OutputFormat } from '../config/config.ts';
import type { RunEnd } from '../runtime/run.ts';
import { amount, plain, span, spent } from '../projections/wording.ts';
import { asJson } from './as-json.ts';
import type { Complaint } from './complaint.ts';
import type { Streams } from './output.ts';
import { questionLines } from './question.ts';
import type { Result } from './result.ts';

export interface Concluding {
  /** What its loop calls a round. */
  readonly round: string;
  /** What to print in place of the answer. */
  readonly product?: string | undefined;
}

/** The end of a run, for people on stderr, and its product on stdout. */
export function conclude({ out, err }: Streams, format: OutputFormat, result: Result, { round, product }: Concluding): void {
  const { dim, yellow } = err.colours;
  const tookMs = result.startedAt && result.endedAt ? Date.parse(result.endedAt) - Date.parse(result.startedAt) : null;
  const rounds = result.iterations.length === 0 ? '' : `${amount(result.iterations.length, round)}, `;
  if (result.spend) err.line(dim(`${rounds}${spent(result.spend)}${tookMs === null ? '' : `, in ${span(tookMs)}`}`));
  for (const question of result.questions) for (const line of questionLines(question)) err.line(yellow(line));
  // A product of the caller's own says what to try next in its own way.
  if (product === undefined) for (const command of result.next) err.line(`${dim('next')}  ${command}`);
  if (format !== 'text') out.line(asJson(result));
  else printProduct({ out, err }, product ?? plain(productOf(result)));
}

function printProduct({ out, err }: Streams, product: string): void {
  if (product === '') return;
  if (out.isTerminal && err.isTerminal) err.line();
  out.line(product);
}

/** The answer of a run that succeeded, and what else it came to otherwise. One that has not ended has no product yet. */
function productOf({ outcome, answer, summary }: Result): string {
  if (!outcome) return '';
  return (outcome.ending === 'success' && answer !== '' ? answer : summary) ?? answer;
}

/** What a person has to know of an end that is none of the run's own. */
export function farewell(end: RunEnd): string | null {
  switch (end.kind) {
    case 'ended':
      return null;
    case 'paused':
      return 'It can be resumed at any time.';
    case 'lost':
      return `another process serves this run now: ${end.detail}`;
  }
}

/** A complaint, the command that may help, and nothing else. */
export function complain({ err }: Streams, { message }: Complaint, next: string | null): void {
  const { red } = err.colours;
  err.line(`${red('loopfold:')} ${plain(message)}`);
  if (next !== null) err.line(`Try: ${next}`);
}
