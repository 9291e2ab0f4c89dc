import type { EventOf, Recorded, LoopEvent } from '../../../machines/events.ts';
import type { Life } from '../../../machines/life.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { Happening } from '../random-walk.ts';
import { type Invariant, same } from './invariant.ts';

type Memory = Pick<
  Life,
  'limits' | 'abort' | 'deadlinePassed' | 'workspace' | 'baseline' | 'verification' | 'dispute' | 'steered'
>;

/**
 * The members of the context that a judge reads follow from the recorded events, and a continuation starts without
 * faults.
 */
export const remembersWhatWasSaid: Invariant = {
  name: 'limits, aborts, checks and steering are remembered as recorded, until an event ends them',
  looks: 'always',
  check({ happenings }, { rounds }) {
    for (const happening of happenings) {
      const { event, before, after } = happening;
      const [was, is] = [lifeOf(before), lifeOf(after)];
      const expected = {
        ...memoryOf(was),
        ...(event.type === rounds.started ? OF_NEW_ROUND : saidBy(event, was)),
        ...passedOn(happening),
      };
      same(event.version, `what is remembered after ${event.type}`, memoryOf(is), expected);
      if (event.type === 'run.continued')
        same(event.version, 'the fault that is held against a continuation', is.fault, null);
    }
  },
};

const memoryOf = (life: Life): Memory => {
  const { limits, abort, deadlinePassed, workspace, baseline, verification, dispute, steered } = life;
  return { limits, abort, deadlinePassed, workspace, baseline, verification, dispute, steered };
};

/** The work changes, and the prompt of the round contains the steering. */
const OF_NEW_ROUND: Partial<Memory> = { verification: null, steered: null };

function saidBy({ type, payload, version }: Recorded<LoopEvent>, was: Life): Partial<Memory> {
  const isUndecided = was.outcome === null;
  switch (type) {
    case 'abort.requested':
      return isUndecided && was.abort === null ? { abort: { ...payload, version } } : {};
    case 'timer.fired':
      return isUndecided && payload.timer === 'deadline' ? { deadlinePassed: true } : {};
    case 'run.steered':
      return { steered: version };
    case 'workspace.captured':
      return { workspace: payload.hash };
    case 'decision.made':
      if (payload.action !== 'continue') return {};
      return was.baseline === 'owed' ? { baseline: 'running' } : { dispute: null };
    case 'grounds.approved':
    case 'grounds.denied':
      return { dispute: was.dispute && { ...was.dispute, isRuled: true } };
    case 'baseline.taken':
      return { baseline: { passed: payload.passed, workspace: payload.workspace, version } };
    case 'verification.completed':
      return payload.levels.length > 0
        ? {
            verification: { passed: payload.passed, workspace: payload.workspace, version },
            ...disputed(payload, was),
          }
        : {};
    case 'run.continued':
      return {
        limits: payload.limits,
        abort: null,
        deadlinePassed: false,
        baseline: isLost(was) ? 'owed' : was.baseline,
        verification: stillProven(was),
      };
    default:
      return {};
  }
}

/** A person is asked once in a round. */
const disputed = ({ proof }: EventOf<'verification.completed'>['payload'], was: Life): Partial<Memory> =>
  was.dispute === null && proof?.dispute?.is === 'asked'
    ? { dispute: { digest: proof.dispute.digest, isRuled: false } }
    : {};

/** Checks on the base that were cut short, or could not run, are run again. */
const isLost = ({ baseline, fault }: Life): boolean =>
  baseline === 'running' || (baseline !== null && baseline !== 'owed' && baseline.version === fault?.version);

/** Outside git a verification is valid for its round only. */
const stillProven = ({ workspace, verification }: Life): Life['verification'] =>
  workspace === null && verification?.passed ? null : verification;

/** An aborted attempt may abort its loop. */
function passedOn({ event: { type, payload, version }, after }: Happening): Partial<Memory> {
  if (type !== 'child.settled' || payload.outcome.ending !== 'abort' || lifeOf(after).abort?.version !== version)
    return {};
  return { abort: { cause: payload.outcome.cause, reason: null, version } };
}
