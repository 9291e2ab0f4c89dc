import { type Invariant, InvariantBroken, type RunState } from 'loopfold/testing';
import type { ReviewedContext } from './reviewed.machine.ts';

const contextOf = ({ snapshot }: RunState): ReviewedContext => snapshot.context;

/** Invariants of this loop, in addition to those of every loop. */
export const invariants: readonly Invariant[] = [
  {
    name: 'a reviewer reads only what has passed its checks',
    looks: 'always',
    check({ happenings }) {
      for (const { event, after } of happenings) {
        const { hasChecks, verification } = contextOf(after);
        if (!after.snapshot.matches('verify.reviewing') || !hasChecks) continue;
        if (!verification?.passed)
          throw new InvariantBroken(event.version, 'what is read', verification, 'work that has passed');
      }
    },
  },
  {
    name: 'work that has passed its checks is judged when it was read',
    looks: 'always',
    check({ happenings }) {
      for (const { event, before, after } of happenings) {
        const { attempt, hasChecks, verification, review, abort, deadlinePassed, fault } = contextOf(after);
        const isDue = attempt?.succeeded && (verification?.passed || !hasChecks) && !abort && !deadlinePassed && !fault;
        const isJudged = after.snapshot.matches('decide.judging') && !before.snapshot.matches('decide');
        if (isJudged && isDue && !review) throw new InvariantBroken(event.version, 'the review', review, 'a review');
      }
    },
  },
  {
    name: 'an interrupted effect, or a continuation, starts again in the same state',
    looks: 'always',
    check({ happenings }) {
      for (const { event, before, after } of happenings) {
        const [then, now] = [before, after].map(({ snapshot }) => JSON.stringify(snapshot.value));
        const isLost = event.type === 'effect.interrupted' && event.payload.actor === 'agent';
        if (isLost || !AGAIN.includes(event.type) || before.snapshot.matches('decide.aborting')) continue;
        if (now !== then) throw new InvariantBroken(event.version, `the place after ${event.type}`, now, then);
      }
    },
  },
];

const AGAIN: readonly string[] = ['review.interrupted', 'effect.interrupted', 'run.continued'];
