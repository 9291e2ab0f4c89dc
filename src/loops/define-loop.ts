import type { z } from 'zod';
import type { AnyEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import type { LoopDescription } from '../runtime/loop-description.ts';
import type { Evidence } from '../runtime/evidence.ts';
import { judgeInOrder, nudges, feedback, proven } from '../runtime/judging.ts';
import type { Rounds } from '../runtime/rounds.ts';
import { type Decision, goOn } from '../runtime/verdict.ts';
import { isMachine } from '../testing/lint/definition-rules.ts';
import { lint } from '../testing/lint/lint.ts';
import { LoopRuleError } from '../testing/lint/loop-rule-error.ts';
import { typesIn } from '../testing/lint/vocabulary.ts';
import type { Loop } from '../testing/loop.ts';
import {
  attempt,
  ATTEMPT_STARTED,
  attemptBounds,
  attemptRounds,
  describedAttempts,
  reserveForAttempt,
  setAsideForAttempt,
} from './attempts.ts';
import { chartDigest } from './chart-digest.ts';
import { sharedEffects } from './shared-effects.ts';

/** What a person writes of a loop: its machine and its words, and whatever else it alone knows. */
export interface WrittenLoop<Event extends AnyEvent = AnyEvent>
  extends Partial<Omit<LoopDefinition, 'id' | 'machine' | 'events' | 'module' | 'describe'>> {
  /** Made by XState's `setup({…}).createMachine({…})`, with an `id` and a `version`. */
  readonly machine: CatalogueEntry['machine'];
  /** All that can happen to it: a discriminated union of facts. */
  readonly events: z.ZodType<Event>;
  /** Its words for people: for what is left out, those of loops like it. */
  readonly describe?: Partial<LoopDescription>;
}

/** Stands in an error where a definition has no machine that could name its loop. */
const NAMELESS = 'the loop@';

/** What every loop may start without saying what it is. */
const knownEffects = { ...sharedEffects, runAgent: attempt };

/**
 * Makes a loop of a machine, ready to be hosted and proven. Throws `LoopRuleError`, with every rule that it breaks, where, and
 * what to do about it.
 *
 * What is left out is as in a loop of attempts: rounds that begin with `iteration.started`, attempts that are turns, a judge
 * that asks for passed checks. An effect of its own has to be described: its class, the events that answer it, and what is
 * recorded where it is interrupted.
 *
 * @example
 * const loop = defineLoop({
 *   machine: reviewed,
 *   events: ReviewedEvent,
 *   effects: {
 *     askReviewer: {
 *       class: 'once',
 *       answers: { 'review.given': 'review', 'review.interrupted': 'review' },
 *       interrupted: (_, { reason }) => ({ type: 'review.interrupted', payload: { reason } }),
 *     },
 *   },
 *   handlers: { askReviewer: async () => ({ type: 'review.given', payload: { approved: true, remark: 'Good.' } }) },
 * });
 */
export function defineLoop<Event extends AnyEvent>(written: WrittenLoop<Event>): Loop<Event> {
  const loop = definitionOf({ ...written });
  const offences = lint(loop);
  if (offences.length > 0) throw new LoopRuleError(loop.id, offences);
  return { ...loop, module: { path: null, digest: chartDigest(loop.machine) } };
}

function definitionOf<Event extends AnyEvent>(written: WrittenLoop<Event>): Loop<Event> {
  const { machine, settles, effects, describe } = written;
  const isAttempts = typesIn(written.events)?.includes(ATTEMPT_STARTED) ?? false;
  const rounds = written.rounds ?? (isAttempts ? attemptRounds : UNKNOWN_ROUNDS);
  const answers = Object.values(effects ?? {}).map((effect) => effect?.answers);
  const allSettles = Object.assign({}, settles, ...answers) as Readonly<Record<string, string>>;
  return {
    judge: judgeByChecks,
    ...(isAttempts ? { reserve: reserveForAttempt, setsAside: setAsideForAttempt, settings: attemptBounds } : {}),
    ...written,
    describe: isAttempts ? describedAttempts(describe) : { round: rounds.started.split('.')[0] ?? '', line: () => null, ...describe },
    id: isMachine(machine) ? `${machine.id}@${machine.config.version ?? ''}` : NAMELESS,
    rounds,
    effects: { ...effectsStarted(machine), ...effects },
    ...(Object.keys(allSettles).length > 0 ? { settles: allSettles } : {}),
  };
}

/** Those of the known effects that a chart starts. */
function effectsStarted(machine: unknown): LoopDefinition['effects'] {
  const names = isMachine(machine) ? Object.keys(machine.implementations.actors) : [];
  return Object.fromEntries(Object.entries(knownEffects).filter(([name]) => names.includes(name)));
}

/** Stands where a loop does not say what a round is: a rule asks for it. */
const UNKNOWN_ROUNDS: Rounds = {
  started: '',
  begin: () => {
    throw new Error('the loop does not say which event begins a round: add `rounds` to its definition');
  },
  count: () => 0,
  limit: 'iterations',
};

/** Another round until the checks have passed. */
const judgeByChecks = (evidence: Evidence): Decision =>
  judgeInOrder(evidence, {
    success: proven(evidence.context),
    goOn: () => ({ ...goOn(evidence, 'no check has proven the work yet'), ...feedback(nudges(evidence)) }),
  });
