import { grouped, formatMoney } from '../../text/money.ts';
import type { LevelResult } from '../../../machines/events.ts';
import type { Account, ModelAccount } from '../../projections/run-account.ts';
import { roundNumber, type RoundRow } from '../../projections/round-table.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { worthOf } from '../../projections/grade-text.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { amount, changes, endingName, oneLine, span, spent } from '../../projections/phrases.ts';
import { changeTotal } from './change-page.ts';
import { evidenceLines } from '../../app/views/evidence-lines.ts';
import { failing, testCounts } from './failure-lines.ts';
import { mostRounds, wordsOf } from './loop-text.ts';
import type { Colours } from '../terminal/output.ts';
import { columns } from './table.ts';

const MAX_CHARS = 110;
const MAX_NAME_CHARS = 40;

export function roundLines(
  { iterations, limits, shownMaximum }: Pick<RunSummary, 'iterations' | 'limits' | 'shownMaximum'>,
  loop: LoopDefinition | null,
): string[] {
  if (iterations.length === 0) return [];
  const { round, child } = wordsOf(loop);
  const most = shownMaximum ?? mostRounds(loop, limits);
  const of = most === null ? '' : `/${most}`;
  const table = columns([
    [`  ${round}`, child, 'took', 'checks', 'files changed'],
    ...iterations.map((row) => [
      `  ${roundNumber(row)}${of}`,
      attemptText(row),
      row.durationMs === null ? '-' : span(row.durationMs),
      [...row.levels.flatMap(checkMarks), ...ciMark(row.ci)].join(' ') || '-',
      changes(row.changed) ?? '-',
    ]),
  ]);
  const said = iterations.flatMap(({ remarks = [], ...row }) =>
    remarks.map((remark) => [`  ${round} ${roundNumber(row)}`, oneLine(remark, MAX_CHARS)]),
  );
  return [...table, ...columns(said)];
}

/** The table of its loop's own events. */
export const tableLines = ({ table }: Pick<RunSummary, 'table'>): string[] =>
  table === undefined
    ? []
    : columns(
        [table.columns, ...table.rows].map((cells) =>
          cells.map((cell, index) => `${index === 0 ? '  ' : ''}${oneLine(cell, MAX_NAME_CHARS * 2)}`),
        ),
      );

/** Which round the newest facts belong to, for a sentence. */
export function ofNewest(rows: readonly RoundRow[], round: string): string {
  const newest = rows.at(-1);
  return newest ? ` of ${round} ${roundNumber(newest)}` : '';
}

/** A round of a loop that opens no runs has no attempt: once it is decided, it is over. */
function attemptText({ attempt, interrupted, spend, decision }: RoundRow): string {
  if (interrupted !== null) return 'interrupted';
  if (attempt) return `${endingName(attempt)}, ${amount(spend.steps, 'step')}`;
  return decision ? 'decided' : 'under way';
}

const checkMarks = ({ level, checks }: LevelResult): string[] =>
  checks.map(({ name, passed }) => `${passed ? '✓' : '✗'} ${level} ${oneLine(name, MAX_NAME_CHARS)}`);

const ciMark = (ci: RoundRow['ci'] | undefined): string[] => (ci ? [`${ci.passed ? '✓' : '✗'} ci`] : []);

type CheckedRun = Pick<RunSummary, 'verification' | 'ending' | 'ruled' | 'settings' | 'checkCost'>;

/** The checks on the present work, with what failed and on what they rest. */
export function checkLines(shown: CheckedRun, { red, green, dim }: Colours): string[] {
  const { verification } = shown;
  if (!verification) return [];
  const checks = verification.levels.flatMap(({ level, checks: some }) => some.map((check) => ({ level, ...check })));
  const lines = checks.flatMap(({ level, name, passed, durationMs, ...check }) => [
    [
      `  ${passed ? green('✓') : red('✗')}`,
      level,
      oneLine(name, MAX_CHARS),
      dim(testCounts(check) + span(durationMs)),
    ].join(' '),
    ...(passed ? [] : failing(check).map((line) => `      ${line}`)),
  ]);
  const { ci } = verification;
  const mark = ci && `  ${ci.passed ? green('✓') : red('✗')} ci ${dim(span(ci.durationMs))}`;
  const why = ci && !ci.passed ? failing(ci).map((line) => `      ${line}`) : [];
  const all = [...lines, ...(mark ? [mark, ...why] : [])];
  const said = { ...worthOf(shown), cost: shown.checkCost };
  const proof = evidenceLines(verification, said, shown.settings.checks);
  return all.length === 0 ? [] : ['  checks', ...all, ...(proof.length === 0 ? [] : ['', ...proof])];
}

/** All files, with the lines added and removed over all attempts. */
export function fileLines({ files }: Pick<Account, 'files'>): string[] {
  return files.length === 0 ? [] : [`  files  ${changeTotal(files)}: ${changes(files) ?? ''}`];
}

/** The usage of each model, and their sum if there are several. */
export function modelLines({ models }: Pick<Account, 'models'>): string[] {
  if (models.length === 0) return [];
  return columns([
    ['  model', 'requests', 'tokens in', 'cached', 'out', 'cost', 'price by'],
    ...models.map(modelRow),
    ...(models.length > 1 ? [modelRow(totalOf(models))] : []),
  ]);
}

/** The tokens of each phase, if there is more than one. */
export function phaseLines({ phases }: Pick<Account, 'phases'>): string[] {
  if (phases.length < 2) return [];
  const words = phases.map(({ phase, tokens, costNanoUsd }) => {
    const cost = costNanoUsd > 0 ? ` (${formatMoney(costNanoUsd)})` : '';
    return `${phase} ${grouped(tokens)}${cost}`;
  });
  return [`  tokens by phase  ${words.join(', ')}`];
}

const modelRow = (one: ModelAccount): string[] => {
  const about = one.estimatedTokens > 0 ? '~' : '';
  const count = (tokens: number) => grouped(tokens);
  return [
    `  ${oneLine(one.model, MAX_NAME_CHARS * 2)}`,
    count(one.requests),
    `${about}${count(one.inputTokens)}`,
    count(one.cachedInputTokens),
    `${about}${count(one.outputTokens)}`,
    one.costNanoUsd === null
      ? 'unknown'
      : `${formatMoney(one.costNanoUsd)}${one.unpriced > 0 ? ` and ${one.unpriced} unpriced` : ''}`,
    oneLine(one.priceSources.join('; '), MAX_CHARS) || '-',
  ];
};

function totalOf(models: readonly ModelAccount[]): ModelAccount {
  return models.reduce((total, one) => ({
    model: 'all',
    requests: total.requests + one.requests,
    inputTokens: total.inputTokens + one.inputTokens,
    outputTokens: total.outputTokens + one.outputTokens,
    cachedInputTokens: total.cachedInputTokens + one.cachedInputTokens,
    reasoningTokens: total.reasoningTokens + one.reasoningTokens,
    estimatedTokens: total.estimatedTokens + one.estimatedTokens,
    costNanoUsd:
      total.costNanoUsd === null && one.costNanoUsd === null ? null : (total.costNanoUsd ?? 0) + (one.costNanoUsd ?? 0),
    unpriced: total.unpriced + one.unpriced,
    priceSources: [],
  }));
}

const MAX_HANDED_OVER = 10;

/** How many runs did delegated work and how they ended, then the first of them with their usage. */
export function handedOverLines({ handedOver }: Pick<RunSummary, 'handedOver'>): string[] {
  if (handedOver.length === 0) return [];
  const endings = Object.entries(Object.groupBy(handedOver, ({ ending }) => ending)).map(
    ([ending, some]) => `${some.length} ${ending}`,
  );
  const shown = handedOver
    .slice(0, MAX_HANDED_OVER)
    .map(({ child, ending, spend }) => `${child} ${ending} (${spent(spend)})`);
  const more = handedOver.length - shown.length;
  return [
    `${amount(handedOver.length, 'run')}: ${endings.join(', ')}`,
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
}
