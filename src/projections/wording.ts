import { amount } from '../config/amount.ts';
import { formatMoney } from '../config/money.ts';
import type { ChangedFile, EventOf, ToolCall } from '../../machines/events.ts';
import type { Accepted, Finding, Outcome, Spend } from '../../machines/outcome.ts';
import { head } from '../config/excerpt.ts';
import { plain } from '../config/plain.ts';
import type { StrategyFault } from '../strategies/strategy-error.ts';

export { amount, plain };

/** A text as one line of at most so many characters. */
export const oneLine = (text: string, maxChars: number): string =>
  head(plain(text).replace(/\s+/g, ' ').trim(), maxChars);

const FAILED_ITSELF: ReadonlySet<string> = new Set<StrategyFault>(['strategy_failed', 'strategy_gone', 'strategy_timed_out']);

/** A strategy that failed when it heard how its loop ended, which changes nothing about that. Of one that is not there at all the ending says it. */
export const farewellFailed = ({ strategy, fault }: EventOf<'strategy.ended'>['payload']): string | null =>
  fault && FAILED_ITSELF.has(fault.code) ? `strategy ${strategy} failed when it was told of the end: ${fault.message}` : null;

/** Who serves a run. Which of a host's containers counts its processes so is for the lease to know. */
export const processOf = ({ pid, host }: { readonly pid: number; readonly host: string }): string =>
  `process ${pid} on ${host.replace(/ pid:\[\d+\]$/, '')}`;

/** What was used up, zeros left out: `3 steps, 5 tool calls, 1,200 tokens, $0.0123`. */
export function spent(spend: Spend): string {
  const counted = ([[spend.steps, 'step'], [spend.toolCalls, 'tool call']] as const)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => amount(count, unit));
  const cost = spend.costNanoUsd === undefined ? [] : [formatMoney(spend.costNanoUsd)];
  return [...counted, tokensSpent(spend) ?? [], ...cost].flat().join(', ') || 'nothing';
}

type TokenCounts = Pick<Spend, 'inputTokens' | 'outputTokens' | 'estimatedTokens'>;

/** `8,400 tokens`, with a `~` where not all of them were counted by the provider; null for none. */
export function tokensSpent({ inputTokens, outputTokens, estimatedTokens }: TokenCounts): string | null {
  const tokens = inputTokens + outputTokens;
  return tokens === 0 ? null : `${estimatedTokens ? '~' : ''}${amount(tokens, 'token')}`;
}

/** A span for people: `0.3 s`, `42 s`, `3 min 5 s`, `2 h 10 min`. */
export const span = (durationMs: number): string =>
  durationMs < 9_950 ? `${(durationMs / 1_000).toFixed(1)} s` : inSeconds(Math.round(durationMs / 1_000));

/** A span that still grows, in whole seconds. */
export const elapsed = (durationMs: number): string => inSeconds(Math.floor(durationMs / 1_000));

function inSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const MAX_PATH_CHARS = 200;
const MAX_FILES_NAMED = 8;

/** `src/a.ts +3 −1`, whatever is in the name; a file git does not count lines of has no numbers. */
export const changedFile = ({ path, added, removed }: ChangedFile): string =>
  [oneLine(path, MAX_PATH_CHARS), ...(added === null || removed === null ? [] : [`+${added} −${removed}`])].join(' ');

/** The first files, and how many more; null where nothing changed. */
export function changes(files: readonly ChangedFile[]): string | null {
  const more = files.length - MAX_FILES_NAMED;
  const named = files.slice(0, MAX_FILES_NAMED).map(changedFile).join(', ');
  return more > 0 ? `${named} … and ${more.toLocaleString('en-US')} more` : named || null;
}

/** An ending in a word or two; whether a success is proven is part of it, also that it is not where that was asked for. */
export function endingName(outcome: Outcome, checksAsked = false): string {
  if (outcome.ending === 'abort') return `abort (${outcome.cause})`;
  if (outcome.ending !== 'success') return outcome.ending;
  if (outcome.partial) return 'success, partial';
  if (outcome.verified) return 'success, verified';
  return checksAsked ? 'success, unverified' : 'success';
}

/** Done is what was asked for: finished, and proven where that was asked. */
export const isDone = (outcome: Outcome, checksAsked: boolean): boolean =>
  outcome.ending === 'success' && !outcome.partial && (outcome.verified !== null || !checksAsked);

/** What a detector noticed, and how much it makes of it. */
export const findingText = ({ detector, level, message }: Finding): string => `${detector} (${level}): ${message}`;

/** What detectors noticed, to stand behind what it bears on. */
export const noticed = (findings: readonly Finding[] = []): string => findings.map((finding) => `; ${findingText(finding)}`).join('');

/**
 * What was taken although it fell short: `attempt 2 as it was left; still failing: L1/tests`. `round` is what its loop calls
 * a round.
 */
export function acceptedText({ iteration, failing }: Accepted, round: string): string {
  const missing = failing.length === 0 ? '' : `; still failing: ${failing.join(', ')}`;
  return `${round} ${iteration + 1} as it was left${missing}`;
}

/** The command that brings the files of an accepted iteration back; null outside git. */
export const filesCommand = ({ ref }: Accepted): string | null => ref && `git restore --source ${ref} -- :/`;

/** Where a call's point most often is. */
const TELLING = ['command', 'question', 'path', 'file', 'pattern', 'query', 'url', 'answer'];

/** What a call is about: its most telling argument, or all of them. */
export function callArgument({ arguments: given }: Pick<ToolCall, 'arguments'>, maxChars: number): string {
  const all = oneLine(JSON.stringify(given), maxChars);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return all;
  const telling = TELLING.map((name) => given[name]).find((value) => typeof value === 'string');
  if (typeof telling === 'string') return oneLine(telling, maxChars);
  return Object.keys(given).length === 0 ? '' : all;
}
