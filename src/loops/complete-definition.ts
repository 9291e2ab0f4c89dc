import type { AnyEvent } from '../../machines/events.ts';
import { feedback, judgeInOrder, nudges, proven } from '../judging/judge-in-order.ts';
import { anotherRound, type Decision, type Evidence } from '../kernel/decision.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Rounds } from '../kernel/loop-ranking.ts';
import { isMachine } from '../testing/lint/lint.ts';
import { typesIn } from '../testing/lint/event-types.ts';
import type { Loop } from '../testing/loop.ts';
import {
  attemptActivity,
  ATTEMPT_STARTED,
  attemptBounds,
  attemptRounds,
  describedAttempts,
  reserveForAttempt,
  setAsideForAttempt,
  type WrittenLoop,
} from './attempt-loop.ts';
import { groundsAnswers } from './grounds-questions.ts';
import { attempt } from './shared/effects/run-child.ts';
import { sharedEffects } from './shared-effects.ts';

/** Names the loop in an error where the definition has no machine. */
const NAMELESS = 'the loop@';

/** Effects that every loop may start without describing them. */
const knownEffects: LoopDefinition['effects'] = { ...sharedEffects, runAgent: attempt };

/** A definition with the members that its author left out. */
export function completed<Event extends AnyEvent>(written: WrittenLoop<Event>): Loop<Event> {
  const { machine, settles, effects, describe } = written;
  const isAttempts = typesIn(written.events)?.includes(ATTEMPT_STARTED) ?? false;
  const rounds = written.rounds ?? (isAttempts ? attemptRounds : UNKNOWN_ROUNDS);
  const answers = Object.values(effects ?? {}).map((effect) => effect?.answers);
  const started = effectsStarted(machine);
  const asks = 'askAboutGrounds' in started ? groundsAnswers(written) : null;
  const described = { ...describe, ...(asks ? { questions: asks.questions } : {}) };
  const allSettles = Object.assign({}, settles, ...answers) as Readonly<Record<string, string>>;
  return {
    judge: judgeByChecks,
    ...(isAttempts
      ? {
          reserve: reserveForAttempt,
          setsAside: setAsideForAttempt,
          settings: attemptBounds,
          activity: attemptActivity,
        }
      : {}),
    ...written,
    ...(asks ? { commands: asks.commands, answered: asks.answered } : {}),
    describe: isAttempts
      ? describedAttempts(described)
      : { round: rounds.started.split('.')[0] ?? '', line: () => null, ...described },
    id: isMachine(machine) ? `${machine.id}@${machine.config.version ?? ''}` : NAMELESS,
    rounds,
    effects: { ...started, ...answeredAsKnown(effects ?? {}) },
    ...(Object.keys(allSettles).length > 0 ? { settles: allSettles } : {}),
  };
}

/** The known effects that a chart starts. */
function effectsStarted(machine: unknown): LoopDefinition['effects'] {
  const names = isMachine(machine) ? Object.keys(machine.implementations.actors) : [];
  return Object.fromEntries(Object.entries(knownEffects).filter(([name]) => names.includes(name)));
}

/** Effects that are described anew: what answers them stays that of the known effect. */
const answeredAsKnown = (effects: LoopDefinition['effects']): LoopDefinition['effects'] =>
  Object.fromEntries(
    Object.entries(effects).map(([name, effect]) => [name, effect && { ...answererIn(name), ...effect }]),
  );

function answererIn(name: string): Pick<LoopDefinition['effects'][string], 'decide' | 'handler'> {
  const { decide, handler } = knownEffects[name] ?? {};
  return { ...(decide ? { decide } : {}), ...(handler ? { handler } : {}) };
}

/** Used where a loop does not say what a round is; a rule then reports it. */
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
    success: proven(evidence),
    otherwise: () => ({ ...anotherRound(evidence, 'no check has proven the work yet'), ...feedback(nudges(evidence)) }),
  });
