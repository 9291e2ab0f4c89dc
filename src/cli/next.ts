import type { ReachedLimit } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import { usedUp } from '../budget/reached.ts';
import { CEILINGS, DEFAULT_STRATEGY } from '../config/defaults.ts';
import { formatDuration } from '../config/duration.ts';
import { NANO_USD_PER_USD } from '../config/money.ts';
import { flagOf } from '../config/names.ts';
import { callName, type Question } from '../projections/questions.ts';
import type { RunSummary } from '../projections/run-summary.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import { isStrategyFault } from '../strategies/strategy-error.ts';
import { shortId } from './find-run.ts';

/** The words of a command, after the program's own. */
export type CommandWords = readonly string[];

type RoundsOf = Pick<LoopDefinition, 'rounds'> | null;
type Ended = Pick<RunSummary, 'ending' | 'limits' | 'spend' | 'iterations' | 'strategy' | 'paused'>;

/** What a person is likely to want after this. `loop`: that of the run, where it is known here. */
export function nextCommands(
  run: string,
  { ending, limits, spend, iterations, strategy, paused }: Ended,
  loop: RoundsOf,
  questions: readonly Question[] = [],
): readonly CommandWords[] {
  const id = shortId(run);
  const answers = questions.flatMap((question) => answerCommands(run, question, questions));
  // Paused after its last decision, it has its strategy still to tell.
  if (!ending || paused) return [...answers, ['resume', id], ['show', id]];
  const { outcome } = ending;
  switch (outcome.ending) {
    case 'success':
      return [['show', id], ['events', id]];
    case 'cap_hit':
    case 'budget': {
      const { limit } = outcome;
      // The deadline may have cut short the last step or attempt there was.
      const other = usedUp(limits, { spend, iterations: iterations.length });
      const reached = other && other.name !== limit.name ? [limit, other] : [limit];
      return [...raising(id, reached, loop, isOwn(limit, limits, strategy) ? DEFAULT_STRATEGY : undefined), ['show', id]];
    }
    case 'doom_loop':
      return [['events', id], ['show', id]];
    case 'abort': {
      // The error may have come with the last step or attempt there was.
      const limit = usedUp(limits, { spend, iterations: iterations.length });
      if (limit) return [...raising(id, [limit], loop), ['show', id]];
      // Mended, it is asked again; or another one decides.
      if (isStrategyFault(outcome.fault?.code)) return [['resume', id], ['extend', id, flagOf('strategy'), DEFAULT_STRATEGY], ['show', id]];
      return [outcome.cause === 'error' ? ['resume', id] : ['extend', id], ['show', id]];
    }
  }
}

/** A strategy that counts for itself would stop there once more, whatever the run's own limit is. */
function isOwn({ name, limit }: ReachedLimit, { maxIterations, maxTimeMs }: Limits, strategy: string | null): boolean {
  if (name === 'time_ms') return limit !== maxTimeMs;
  return name === 'iterations' && (strategy === 'hybrid' || limit !== maxIterations);
}

/** The command that goes on under larger limits, with another strategy where one is named; none where there is no more to be had. */
export function raising(id: string, limits: readonly ReachedLimit[], loop: RoundsOf, strategy?: string): readonly CommandWords[] {
  const raised = limits.flatMap((limit) => raisedFlag(limit, loop) ?? []);
  const another = strategy === undefined ? [] : [flagOf('strategy'), strategy];
  return raised.length === 2 * limits.length ? [['extend', id, ...another, ...raised]] : [];
}

/** The commands that answer it; the call is named where there are others. */
export function answerCommands(run: string, question: Question, open: readonly Question[]): readonly CommandWords[] {
  const id = shortId(run);
  const isOnly = open.length === 1;
  const { kind } = question;
  const name = shortName(question, open);
  if (kind === 'question') return [['answer', id, ...(isOnly ? [] : ['--call', name]), 'TEXT']];
  const call = isOnly ? [] : [name];
  return [['approve', id, ...call], ['deny', id, ...call]];
}

/** What a person calls a question by where several are open. */
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

/** Twice as much, as far as the ceiling lets it. Null where there is no more to be had. */
function raisedFlag({ name, used, limit, next = 0 }: ReachedLimit, loop: RoundsOf): readonly [string, string] | null {
  const ceiling = ceilingOf(name, loop) ?? Infinity;
  const raised = Math.min(Math.max(limit, used + next) * 2, ceiling);
  if (raised <= used) return null;
  return [flagOf(LIMIT_OPTIONS[name]), amountIn(name, raised)];
}

/** As the option that sets it takes it. */
export function amountIn(name: ReachedLimit['name'], amount: number): string {
  if (name === 'time_ms') return formatDuration(amount);
  return String(name === 'cost_nano_usd' ? amount / NANO_USD_PER_USD : amount);
}

/** Rounds alone have a ceiling: those of the loop itself, or of any where it is not known. */
function ceilingOf(name: ReachedLimit['name'], loop: RoundsOf): number | null {
  if (name !== 'steps' && name !== 'iterations') return null;
  return loop && loop.rounds.limit !== name ? null : CEILINGS[name];
}
