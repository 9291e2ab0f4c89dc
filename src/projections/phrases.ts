import { pathText } from '../text/path-text.ts';
import { amount, grouped, formatMoney } from '../text/money.ts';
import type { ChangedFile, EventOf, LeftOut, ToolCall } from '../../machines/events.ts';
import { EXHAUSTED } from '../../machines/exhaustion.ts';
import type { ToldHook } from '../../machines/hooks.ts';
import type { Accepted, Finding, Grade, Outcome, Spend, Verified } from '../../machines/outcome.ts';
import { hostName } from '../log/lease-store.ts';
import { oneLine, plain } from '../text/one-line.ts';
import type { StrategyFault } from '../strategies/strategy-error.ts';
import { inSeconds } from '../text/time-span.ts';

export { amount, oneLine, plain };

const FAILED_ITSELF: ReadonlySet<string> = new Set<StrategyFault>([
  'strategy_failed',
  'strategy_gone',
  'strategy_timed_out',
]);

/**
 * The failure of a strategy's `onLoopEnd`, which does not change the ending. A missing strategy is reported by the
 * ending itself.
 */
const strategyEndFailed = ({ strategy, fault }: EventOf<'strategy.ended'>['payload']): string | null =>
  fault && FAILED_ITSELF.has(fault.code)
    ? `strategy ${strategy} failed when it was told of the end: ${fault.message}`
    : null;

const MAX_HOOK_CHARS = 500;

/** A hook that has told of a run, with how it ended. */
export function hookText({ on, command, passed, said, durationMs }: ToldHook): string {
  const name = `the hook ${oneLine(command, MAX_HOOK_CHARS)} on ${on}`;
  if (passed) return `${name} has run for ${durationMs} ms`;
  return `${name} failed: ${said === '' ? 'it printed nothing' : oneLine(said, MAX_HOOK_CHARS)}`;
}

/** The failures of the end: of the strategy, and of hooks that were told of it. */
export const endFailures = (payload: EventOf<'strategy.ended'>['payload']): readonly string[] => [
  ...[strategyEndFailed(payload) ?? []].flat(),
  ...(payload.hooks ?? []).filter(({ passed }) => !passed).map(hookText),
];

/** A raised warning in words. Null: it is the record of a hook that has passed. */
export const warningText = ({ message, hook }: EventOf<'warning.raised'>['payload']): string | null =>
  hook?.passed ? null : message;

/** The process that runs a run. */
export const processOf = (holder: { readonly pid: number; readonly host: string }): string =>
  `process ${holder.pid} on ${hostName(holder)}`;

/** A spend in words, zeros left out: `3 steps, 5 tool calls, 1,200 tokens, $0.0123`. */
export function spent(spend: Spend): string {
  const counted = (
    [
      [spend.steps, 'step'],
      [spend.toolCalls, 'tool call'],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, unit]) => amount(count, unit));
  const cost = spend.costNanoUsd === undefined ? [] : [formatMoney(spend.costNanoUsd)];
  return [...counted, tokensSpent(spend) ?? [], ...cost].flat().join(', ') || 'nothing';
}

type TokenCounts = Pick<Spend, 'inputTokens' | 'outputTokens' | 'estimatedTokens'>;

/** `8,400 tokens`, with a `~` where the provider did not count all of them; null for 0. */
export function tokensSpent({ inputTokens, outputTokens, estimatedTokens }: TokenCounts): string | null {
  const tokens = inputTokens + outputTokens;
  return tokens === 0 ? null : `${estimatedTokens ? '~' : ''}${amount(tokens, 'token')}`;
}

/** A duration in words: `0.3 s`, `42 s`, `3 min 5 s`, `2 h 10 min`. Never below zero: clocks are put back. */
export const span = (durationMs: number): string =>
  durationMs < 9_950 ? `${Math.max(0, durationMs / 1_000).toFixed(1)} s` : inSeconds(Math.round(durationMs / 1_000));

/** A duration that still grows, in whole seconds. */
export const elapsed = (durationMs: number): string => inSeconds(Math.floor(durationMs / 1_000));

const MAX_PATH_CHARS = 200;
const MAX_FILES_NAMED = 8;

/**
 * `src/a.ts +3 −1`, with the control characters of the name as escapes. A file whose lines git does not count has no
 * numbers.
 */
export const changedFile = ({ path, added, removed }: ChangedFile): string =>
  [pathText(path, MAX_PATH_CHARS), ...(added === null || removed === null ? [] : [`+${added} −${removed}`])].join(' ');

/** The first files, and the number of the others; null where nothing changed. */
export function changes(files: readonly ChangedFile[]): string | null {
  const more = files.length - MAX_FILES_NAMED;
  const named = files.slice(0, MAX_FILES_NAMED).map(changedFile).join(', ');
  return more > 0 ? `${named} … and ${grouped(more)} more` : named || null;
}

/** Paths that a capture lacks, and why. */
export function leftOutText(paths: readonly LeftOut[]): string {
  const more = paths.length - MAX_FILES_NAMED;
  const named = paths
    .slice(0, MAX_FILES_NAMED)
    .map(({ path, because }) => `${pathText(path, MAX_PATH_CHARS)} (${because})`);
  return `${named.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}

/**
 * An ending in a word or two. A success has its grade, or says that it is unverified although checks were configured.
 */
export function endingName(outcome: Outcome, checksAsked = false): string {
  if (outcome.ending === 'abort') return `abort (${outcome.cause})`;
  if (outcome.ending === 'doom_loop' && outcome.finding.detector === EXHAUSTED) return `${EXHAUSTED} (doom_loop)`;
  if (outcome.ending !== 'success') return outcome.ending;
  if (outcome.partial) return 'success, partial';
  if (outcome.verified) return `success, ${outcome.verified.grade ?? 'verified'}`;
  return checksAsked ? 'success, unverified' : 'success';
}

/** Grades of successes of which a person has to see for themselves whether the task is done. */
const UNSHOWN: ReadonlySet<Grade | undefined> = new Set(['weak', 'not regressed'] as const);

/** Tells whether the task is done: a full success, and one that is enough, where checks were configured. */
export const isDone = (outcome: Outcome, checksAsked: boolean): boolean =>
  outcome.ending === 'success' &&
  !outcome.partial &&
  (outcome.verified === null ? !checksAsked : isShown(outcome.verified));

/** As it was recorded; else by its grade alone. */
const isShown = ({ grade, enough }: Verified): boolean => enough ?? !UNSHOWN.has(grade);

/** A finding of a detector, with its level. */
export const findingText = ({ detector, level, message }: Finding): string => `${detector} (${level}): ${message}`;

/** The findings of detectors, as a suffix of the line that they belong to. */
export const noticed = (findings: readonly Finding[] = []): string =>
  findings.map((finding) => `; ${findingText(finding)}`).join('');

/**
 * An accepted result that fell short: `attempt 2 as it was left; still failing: L1/tests`. `round` is the loop's word
 * for a round.
 */
export function acceptedText({ iteration, failing }: Accepted, round: string): string {
  const missing = failing.length === 0 ? '' : `; still failing: ${failing.join(', ')}`;
  return `${round} ${iteration + 1} as it was left${missing}`;
}

/** The command that restores the files of an accepted iteration; null outside git. */
export const filesCommand = ({ ref }: Accepted): string | null => ref && `git restore --source ${ref} -- :/`;

/** The arguments that most often say what a call is about, most telling first. */
const TELLING = ['command', 'question', 'path', 'file', 'pattern', 'query', 'url', 'answer'];

/** The most telling argument of a call, or all of them as JSON. */
export function callArgument({ arguments: given }: Pick<ToolCall, 'arguments'>, maxChars: number): string {
  const all = oneLine(JSON.stringify(given), maxChars);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return all;
  const telling = TELLING.map((name) => given[name]).find((value) => typeof value === 'string');
  if (typeof telling === 'string') return oneLine(telling, maxChars);
  return Object.keys(given).length === 0 ? '' : all;
}
