import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import type { Life } from '../../../machines/life.ts';
import { fold, lifeOf, refusalOf, type RunState } from '../../kernel/fold.ts';
import { placeOf } from '../../kernel/position.ts';
import type { RandomWalk } from '../random-walk.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';

type Timer = Extract<LoopEvent, { type: 'timer.fired' }>['payload']['timer'];

const ABORTING = 'decide.aborting';

/**
 * Checked in every aborting state: the deadline timer still runs, and the state accepts and remembers its event.
 */
export const keepsDeadline: Invariant = {
  name: 'a deadline is not lost while aborting',
  looks: 'always',
  check(run) {
    for (const state of abortingIn(run)) {
      if (lifeOf(state).deadlinePassed) continue;
      isRunning(state, 'deadline');
      const after = taken(state, fired('deadline'));
      same(after.version, 'whether the deadline has passed once its timer fired', lifeOf(after).deadlinePassed, true);
      goesOnAborting(state, after, 'the deadline');
    }
  },
};

/** A grace that could be prolonged would let an aborted run go on for ever. */
export const endsAborting: Invariant = {
  name: 'aborting ends with the last result or with its grace, and nothing prolongs it',
  looks: 'always',
  check(run) {
    for (const { event, before, after } of run.happenings) {
      if (placeOf(before.snapshot) !== ABORTING || placeOf(after.snapshot) === ABORTING) continue;
      same(event.version, 'the place after aborting', placeOf(after.snapshot), 'decide.judging');
    }
    for (const state of abortingIn(run)) {
      same(
        state.version,
        'whether anything is pending while aborting',
        Object.keys(lifeOf(state).pending).length > 0,
        true,
      );
      isRunning(state, 'grace');
      goesOnAborting(
        state,
        taken(state, { type: 'abort.requested', payload: { cause: 'user', reason: null } }),
        'a second abort',
      );
      const after = taken(state, fired('grace'));
      same(after.version, 'the place when the grace is over', placeOf(after.snapshot), 'decide.judging');
      same(after.version, 'what is pending when the grace is over', lifeOf(after).pending, {});
    }
  },
};

/** The aborting states of a run, one for each distinct set of pending effects and limits. */
function abortingIn({ happenings }: RandomWalk): RunState[] {
  const all = happenings.map(({ after }) => after).filter(({ snapshot }) => placeOf(snapshot) === ABORTING);
  return [...new Map(all.map((state) => [signOf(lifeOf(state)), state])).values()];
}

const signOf = ({ pending, deadlinePassed, abort, clockStart }: Life): string =>
  JSON.stringify([pending, deadlinePassed, abort, clockStart]);

function isRunning(state: RunState, timer: Timer): void {
  const isThere = state.outstanding.some(({ key, told }) => key === timer && !told);
  same(state.version, `a timer for the ${timer} that runs while aborting`, isThere, true);
}

/** Checks that an event changes neither the pending effects nor the end of the grace. */
function goesOnAborting(before: RunState, after: RunState, what: string): void {
  same(after.version, `the place after ${what} while aborting`, placeOf(after.snapshot), ABORTING);
  same(after.version, `what is pending after ${what} while aborting`, lifeOf(after).pending, lifeOf(before).pending);
  same(
    after.version,
    `when the grace is due after ${what} while aborting`,
    lifeOf(after).due.grace,
    lifeOf(before).due.grace,
  );
  isRunning(after, 'grace');
}

const fired = (timer: Timer): LoopEvent => ({ type: 'timer.fired', payload: { timer } });

/** The state after an event that it must accept. */
function taken(state: RunState, event: LoopEvent): RunState {
  const recorded: Recorded<LoopEvent> = { ...event, at: state.at, version: state.version + 1 };
  const because = refusalOf(state, recorded);
  if (because === null) return fold(state, recorded);
  const said = event.type === 'timer.fired' ? `${event.type} of the ${event.payload.timer}` : event.type;
  throw new InvariantBroken(
    state.version,
    `what ${said} meets in ${placeOf(state.snapshot)}`,
    because,
    'a transition that takes it',
  );
}
