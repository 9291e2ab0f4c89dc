import type { LevelResult } from '../../machines/events.ts';
import type { IterationRow } from '../projections/iteration-table.ts';
import type { RunEnding, RunSummary } from '../projections/run-summary.ts';
import { amount, changes, endingName, oneLine, span, spent } from '../projections/wording.ts';
import { failingLines } from './failing-lines.ts';
import type { Colours } from './output.ts';
import type { Standing } from './standing.ts';
import { columns } from './table.ts';

/** Everything `show` knows of a run. */
export interface Page extends RunSummary {
  readonly run: string;
  readonly standing: Standing;
  /** The effect of another run that this one performs. */
  readonly parentEffect: string | null;
  readonly continues: { readonly run: string; readonly version: number } | null;
  readonly continuedAs: readonly string[];
  readonly hash: string;
}

const MAX_CHARS = 110;
const MAX_NAME_CHARS = 40;

/** The page as text. */
export function page(shown: Page, colours: Colours): string[] {
  const { settings, ending, iterations, answer, spend, standing, startedAt, at, text } = shown;
  const facts: (readonly [string, string])[] = [
    ['task', oneLine(settings.prompt, MAX_CHARS)],
    ['loop', settings.loop === 'iteration' ? `iteration, strategy ${shown.strategy}` : 'turn'],
    ['model', oneLine(settings.model, MAX_CHARS)],
    ['workspace', oneLine(settings.directory, MAX_CHARS * 2)],
    ['outcome', ending ? outcomeText(ending, colours) : standingText(standing)],
    ...(ending ? ([['because', oneLine(ending.reason, MAX_CHARS * 2)], ['evidence', evidence(shown)]] as const) : []),
    ...(text === null ? [] : ([['summary', oneLine(text, MAX_CHARS * 2)]] as const)),
    ...(answer === '' ? [] : ([['answer', oneLine(answer, MAX_CHARS)]] as const)),
    ['spent', `${spent(spend)}, in ${span(Math.max(0, Date.parse(at) - Date.parse(startedAt)))}`],
    ...family(shown),
  ];
  return [
    colours.bold(`run ${shown.run}`),
    ...columns(facts.map(([name, value]) => [`  ${name}`, value])),
    ...(iterations.length === 0 ? [] : ['', ...iterationLines(shown)]),
    ...failures(shown, colours),
  ];
}

function standingText(standing: Standing): string {
  switch (standing.kind) {
    case 'ended':
      return standing.ending;
    case 'running':
      return `running, served by process ${standing.by.pid} on ${standing.by.host}`;
    case 'paused':
      return 'paused';
    case 'interrupted':
      return 'interrupted: the process that served it is gone';
  }
}

function evidence({ ending, verification, iterations }: Page): string {
  const outcome = ending?.outcome;
  const ids = ending?.evidence.join(', ') || 'none';
  if (outcome?.ending !== 'success' || !outcome.verified || !verification) return ids;
  const { workspace } = outcome.verified;
  const attempt = iterations.length === 0 ? '' : ` of iteration ${iterations.length}`;
  return `${ids} (the checks${attempt} passed${workspace === null ? '' : ` on tree ${workspace.slice(0, 12)}`})`;
}

function family({ parentEffect, continues, continuedAs }: Page): (readonly [string, string])[] {
  return [
    ...(parentEffect === null ? [] : ([['attempt of', parentEffect]] as const)),
    ...(continues === null ? [] : ([['continues', `${continues.run} from version ${continues.version}`]] as const)),
    ...continuedAs.map((run) => ['continued as', run] as const),
  ];
}

function iterationLines({ iterations, limits }: Page): string[] {
  const of = limits.maxIterations === null ? '' : `/${limits.maxIterations}`;
  return columns([
    ['  iteration', 'attempt', 'checks', 'files changed'],
    ...iterations.map((row) => [
      `  ${row.iteration + 1}${of}`,
      attemptText(row),
      row.levels.flatMap(checkMarks).join(' ') || '-',
      changes(row.changed) ?? '-',
    ]),
  ]);
}

function attemptText({ attempt, interrupted, spend }: IterationRow): string {
  if (interrupted !== null) return 'interrupted';
  return attempt ? `${endingName(attempt)}, ${amount(spend.steps, 'step')}` : 'under way';
}

const checkMarks = ({ level, checks }: LevelResult): string[] =>
  checks.map(({ name, passed }) => `${passed ? '✓' : '✗'} ${level} ${oneLine(name, MAX_NAME_CHARS)}`);

/** What is wrong with the work as it is now. */
function failures({ verification }: Page, { red }: Colours): string[] {
  if (!verification || verification.passed) return [];
  const checks = verification.levels.flatMap(({ level, checks }) => checks.map((check) => ({ level, ...check })));
  const lines = checks.filter(({ passed }) => !passed).flatMap(({ level, name, output }) => [
    `  ${red('✗')} ${level} ${oneLine(name, MAX_CHARS)}`,
    ...failingLines(output).map((line) => `      ${line}`),
  ]);
  return ['', ...lines];
}

const outcomeText = ({ outcome }: RunEnding, { green, yellow }: Colours) =>
  (outcome.ending === 'success' ? green : yellow)(endingName(outcome));
