import type { OutputFormat } from '../../config/config.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import { approvalText, gradeText } from '../../projections/grade-text.ts';
import { amount, plain, span, spent } from '../../projections/phrases.ts';
import { asJson } from '../pages/as-json.ts';
import type { Complaint } from '../pages/complaint.ts';
import { outsideLines } from '../../app/views/surroundings-lines.ts';
import { reportLines } from '../pages/report-lines.ts';
import type { Streams } from '../terminal/output.ts';
import { questionLines } from '../terminal/question-lines.ts';
import type { Result } from '../pages/result.ts';

export interface Concluding {
  /** The loop's word for a round. */
  readonly round: string;
  /** What to print in place of the answer. */
  readonly product?: string | undefined;
  /** Neither what it has used nor what could be next. */
  readonly quiet?: boolean;
}

/** Prints the end of a run: a summary on stderr, its answer on stdout. */
export function conclude(
  { out, err }: Streams,
  format: OutputFormat,
  result: Result,
  { round, product, quiet = false }: Concluding,
): void {
  const { dim, yellow } = err.colours;
  const tookMs = result.startedAt && result.endedAt ? Date.parse(result.endedAt) - Date.parse(result.startedAt) : null;
  const rounds = result.iterations.length === 0 ? '' : `${amount(result.iterations.length, round)}, `;
  if (result.spend && !quiet)
    err.line(dim(`${rounds}${spent(result.spend)}${tookMs === null ? '' : `, in ${span(tookMs)}`}`));
  const grade = result.outcome?.ending === 'success' ? result.outcome.verified?.grade : undefined;
  if (grade) err.line((grade === 'weak' ? yellow : dim)(gradeText({ grade, because: result.weaknesses })));
  for (const line of outsideLines(result.outsideChanged)) err.line(yellow(line));
  if (result.approval) err.line(dim(approvalText(result.approval)));
  if (result.shortfall !== null) err.line(yellow(result.shortfall));
  if (result.remedy !== null) err.line(yellow(plain(result.remedy)));
  for (const question of result.questions) for (const line of questionLines(question)) err.line(yellow(line));
  for (const rule of result.unusedRules) err.line(yellow(`no call fitted the rule "${plain(rule)}"`));
  for (const line of reportLines(result.owed)) err.line(yellow(line));
  // A product that the caller supplies names the next commands itself.
  if (product === undefined && !quiet) for (const command of result.next) err.line(`${dim('next')}  ${command}`);
  if (format !== 'text') out.line(asJson(result));
  else printProduct({ out, err }, product ?? plain(productOf(result)));
}

function printProduct({ out, err }: Streams, product: string): void {
  if (product === '') return;
  if (out.isTerminal && err.isTerminal) err.line();
  out.line(product);
}

/**
 * The answer of a run that succeeded, else its summary. Empty for a run that has not ended.
 */
function productOf({ outcome, answer, value, summary }: Result): string {
  if (value !== null) return JSON.stringify(value, null, 2);
  if (!outcome) return '';
  return (outcome.ending === 'success' && answer !== '' ? answer : summary) ?? answer;
}

/** One line for a run that left this process without an ending of its own. */
export function endingLine(end: RunEnd, isWaiting: boolean): string | null {
  switch (end.kind) {
    case 'ended':
      return null;
    case 'paused':
      if (end.obstacle !== undefined) return 'It continues with `resume`, once that is mended.';
      return isWaiting ? 'It continues with `resume`, once a person has answered.' : 'It can be resumed at any time.';
    case 'lost':
      return `another process owns this run now: ${end.detail}`;
  }
}

/** Prints an error and the command that may help. */
export function complain({ err }: Streams, { message }: Complaint, next: string | null): void {
  const { red } = err.colours;
  err.line(`${red('loopfold:')} ${plain(message)}`);
  if (next !== null) err.line(`Try: ${next}`);
}
