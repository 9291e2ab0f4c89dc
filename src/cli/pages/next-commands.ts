import { MODEL_UNKNOWN, type Outcome, type ReachedLimit } from '../../../machines/outcome.ts';
import type { Limits, Thread } from '../../../machines/settings.ts';
import { usedUp } from '../../budget/limit-use.ts';
import { CEILINGS } from '../../options/defaults.ts';
import { flagOf } from '../../options/option-table.ts';
import { callName, type Question } from '../../projections/questions.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { WORKTREE_FAULTS } from '../../actors/worktree-codes.ts';
import { MIN_DIGEST_CHARS } from '../../app/people/ruling.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { isStrategyFault } from '../../strategies/strategy-error.ts';
import { DEFAULT_STRATEGY, hasOwnCap } from '../../strategies/strategy-kinds.ts';
import { shortId } from '../args/find-run.ts';
import { amountIn } from './limit-amount.ts';
import { unansweredNext } from './next-without-answer.ts';

const UNCURED = new Set(['authentication', MODEL_UNKNOWN]);

/** The arguments of a command. */
export type CommandWords = readonly string[];

type RoundsOf = Pick<LoopDefinition, 'rounds'> | null;
type Ended = Pick<RunSummary, 'ending' | 'limits' | 'spend' | 'iterations' | 'strategy' | 'paused'> & {
  readonly settings?: { readonly thread?: Thread | undefined };
};

/** Commands that the user is likely to want next. `loop`: the run's, if known here. */
export function nextCommands(
  run: string,
  ended: Ended,
  loop: RoundsOf,
  questions: readonly Question[] = [],
): readonly CommandWords[] {
  const id = shortId(run);
  const { ending, iterations, paused } = ended;
  const answers = questions.flatMap((question) => answerCommands(run, question, questions));
  // Paused after its last decision: the strategy has not been told of the end yet.
  if (!ending || paused) return [...answers, ['resume', id], ['show', id]];
  const { outcome } = ending;
  const unanswered = unansweredNext(id, outcome, iterations);
  if (unanswered) return [...unanswered, ['show', id]];
  switch (outcome.ending) {
    case 'success':
      return [
        ['show', id],
        ['events', id],
      ];
    case 'cap_hit':
    case 'budget':
      return [...afterLimit(id, outcome.limit, ended, loop), ['show', id]];
    case 'doom_loop':
      return [
        ['events', id],
        ['show', id],
      ];
    case 'abort':
      return afterAbort(id, outcome, ended, loop);
  }
}

/** The command that goes on under larger limits: the one that has ended the run, and any that would end it next. */
function afterLimit(
  id: string,
  limit: ReachedLimit,
  { limits, strategy, settings, ...ended }: Ended,
  loop: RoundsOf,
): readonly CommandWords[] {
  const message = ofThread(id, limit, settings?.thread);
  if (message) return [message];
  // The deadline may have cut short the last step or attempt.
  const other = usedUpBy({ ...ended, limits });
  return raising(id, other && other.name !== limit.name ? [limit, other] : [limit], loop, {
    strategy: isOwn(limit, limits, strategy, loop) ? DEFAULT_STRATEGY : undefined,
    thread: settings?.thread,
  });
}

/** The commands after an abort. Where each further try would end the same way, they only show why. */
function afterAbort(
  id: string,
  { cause, fault }: Extract<Outcome, { ending: 'abort' }>,
  ended: Ended,
  loop: RoundsOf,
): readonly CommandWords[] {
  // The error may have come with the last step or attempt.
  const limit = usedUpBy(ended);
  if (limit) return [...raising(id, [limit], loop, { thread: ended.settings?.thread }), ['show', id]];
  // Fix the strategy and resume, or continue with another one.
  if (isStrategyFault(fault?.code))
    return [
      ['resume', id],
      ['extend', id, flagOf('strategy'), DEFAULT_STRATEGY],
      ['show', id],
    ];
  // Without a change of the key or the model each try would end the same way.
  if (UNCURED.has(fault?.code ?? ''))
    return [
      ['config', '--models'],
      ['show', id],
    ];
  // The dependencies stay changed, and each further step would end the same way.
  if (fault?.code === WORKTREE_FAULTS.shared)
    return [
      ['show', id],
      ['diff', id],
    ];
  return [cause === 'error' ? ['resume', id] : ['extend', id], ['show', id]];
}

const usedUpBy = ({ limits, spend, iterations }: Pick<Ended, 'limits' | 'spend' | 'iterations'>): ReachedLimit | null =>
  usedUp(limits, { spend, iterations: iterations.length });

/** The message that raises the cap of a thread, where the run may cost no more under it. Null: its own cap was met. */
export function ofThread(
  id: string,
  { name, used, limit, next = 0 }: ReachedLimit,
  thread: Thread | undefined,
): CommandWords | null {
  const left = leftOfThread(thread);
  const isOfRun = left === null || (limit < left && used + next <= left);
  if (name !== 'cost_nano_usd' || !thread || isOfRun) return null;
  const raised = amountIn(name, thread.nanoUsd + Math.max(limit, used + next) * 2);
  return ['run', '--continue', id, flagOf('threadMaxCost'), raised, 'TEXT'];
}

/** What the runs of a thread may still cost, in billionths of a US dollar. Null: that is not limited. */
const leftOfThread = (thread: Thread | undefined): number | null =>
  thread?.maxCostNanoUsd == null ? null : thread.maxCostNanoUsd - thread.nanoUsd;

/** The command that goes on talking to a run that has ended. */
export const talking = (run: string): CommandWords => ['run', '--continue', shortId(run), 'TEXT'];

/**
 * A strategy with a cap of its own would stop there again, whatever the run's limit is. A loop that moves its maximum
 * itself also stops there itself: then the strategy's cap is another number.
 */
function isOwn(
  { name, limit }: ReachedLimit,
  { maxIterations, maxTimeMs }: Limits,
  strategy: string | null,
  loop: RoundsOf,
): boolean {
  if (name === 'time_ms') return limit !== maxTimeMs;
  if (name !== 'iterations') return false;
  return limit !== maxIterations || (hasOwnCap(strategy) && loop?.rounds.most === undefined);
}

/** What else decides how a limit may be raised. */
interface Raising {
  /** Another one to go on with. */
  readonly strategy?: string | undefined;
  /** The thread of the run, whose cap bounds that of the run. */
  readonly thread?: Thread | undefined;
}

/**
 * The command that continues under larger limits, and with another strategy if one is named; none at the ceiling.
 */
export function raising(
  id: string,
  limits: readonly ReachedLimit[],
  loop: RoundsOf,
  { strategy, thread }: Raising = {},
): readonly CommandWords[] {
  const raised = limits.flatMap((limit) => raisedFlag(limit, loop, thread) ?? []);
  const another = strategy === undefined ? [] : [flagOf('strategy'), strategy];
  return raised.length === 2 * limits.length ? [['extend', id, ...another, ...raised]] : [];
}

/** The commands that answer a question; the call is named if several are open. */
export function answerCommands(run: string, question: Question, open: readonly Question[]): readonly CommandWords[] {
  const id = shortId(run);
  const isOnly = open.length === 1;
  const { kind, approval } = question;
  const name = shortName(question, open);
  if (kind === 'question') return [['answer', id, ...(isOnly ? [] : ['--call', name]), 'TEXT']];
  // Of a change the reason counts: the next attempt is told.
  const why = kind === 'approval' ? ['--reason', 'TEXT'] : [];
  const deny = ['deny', id, ...(isOnly && kind === 'access' ? [] : [name]), ...why];
  // A path where nothing is can only be denied.
  if (!approval) return [deny];
  // The digest binds the command to what is printed beside it.
  return [['approve', id, name, '--digest', approval.digest.slice(0, MIN_DIGEST_CHARS)], deny];
}

/** The name of a question when several are open. */
export const shortName = (question: Question, open: readonly Question[]): string =>
  callName(question, open) === question.callId ? question.callId : `${shortId(question.run)}/${question.callId}`;

/** The option that sets each limit. */
export const LIMIT_OPTIONS = {
  steps: 'maxSteps',
  iterations: 'maxIterations',
  time_ms: 'maxTime',
  tool_calls: 'maxToolCalls',
  tokens: 'maxTokens',
  cost_nano_usd: 'maxCost',
} as const satisfies { readonly [name in ReachedLimit['name']]: string };

/** Twice as much, up to the ceiling. Null at the ceiling. */
function raisedFlag(
  { name, used, limit, next = 0 }: ReachedLimit,
  loop: RoundsOf,
  thread: Thread | undefined,
): readonly [string, string] | null {
  const ceiling = (name === 'cost_nano_usd' ? leftOfThread(thread) : ceilingOf(name, loop)) ?? Infinity;
  const raised = Math.min(Math.max(limit, used + next) * 2, ceiling);
  if (raised <= used) return null;
  return [flagOf(LIMIT_OPTIONS[name]), amountIn(name, name === 'time_ms' ? wholeMinutes(raised) : raised)];
}

const MINUTE_MS = 60_000;

/** A time that was used is known to the millisecond, and twice that is no time that a person would write. */
const wholeMinutes = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;

/** Only rounds have a ceiling: the loop's own, or the general one for an unknown loop. */
function ceilingOf(name: ReachedLimit['name'], loop: RoundsOf): number | null {
  if (name !== 'steps' && name !== 'iterations') return null;
  return loop && loop.rounds.limit !== name ? null : CEILINGS[name];
}
