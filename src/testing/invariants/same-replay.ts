import canonicalize from 'canonicalize';
import type { EventOf, LoopEvent, Recorded } from '../../../machines/events.ts';
import type { CatalogueEntry } from '../../../machines/index.ts';
import { fold, freezeState, open, type RunState, thawState } from '../../kernel/fold.ts';
import { refusal } from '../../kernel/step.ts';
import { InvariantBroken, type Invariant, same } from './invariant.ts';

/** Folds the log as a store returns it: other objects, with their keys in another order. */
export const foldsAsItLived: Invariant = {
  name: 'live equals fold, and equal logs give equal states byte for byte',
  looks: 'thorough',
  check({ started, first, happenings }, loop) {
    let folded = opened(stored(started), loop);
    same(1, 'the first state', bytesOf(folded), livedAs(first));
    for (const { event, after } of happenings) {
      folded = taken(folded, stored(event));
      same(event.version, `the state after ${event.type}`, bytesOf(folded), livedAs(after));
    }
  },
};

/** Folds each event from a snapshot of the version before it. */
export const foldsFromSnapshot: Invariant = {
  name: 'live equals snapshot plus tail, from every version',
  looks: 'thorough',
  check({ first, happenings }, loop) {
    let state = first;
    for (const { event, after } of happenings) {
      const thawed = thawState(stored(freezeState(state)), [loop]);
      if (!thawed) throw new InvariantBroken(state.version, 'the frozen state', null, 'one that thaws');
      state = taken(thawed, event);
      same(event.version, `the state after ${event.type}`, bytesOf(state), livedAs(after));
    }
  },
};

function opened(started: Recorded<EventOf<'run.started'>>, loop: CatalogueEntry): RunState {
  const result = open(started, [loop]);
  if (result.kind !== 'opened') throw new InvariantBroken(1, 'the machine', result.machine, result.known);
  return result.state;
}

/** Recovery checks for a refusal as a live run does: the result must be the same. */
function taken(state: RunState, event: Recorded<LoopEvent>): RunState {
  same(event.version, `why ${event.type} is refused`, refusal(state.snapshot, event), null);
  return fold(state, event);
}

const stored = <Value>(value: Value): Value => JSON.parse(canonicalize(value) ?? 'null');
/** Includes members of the state itself: what freezing loses would be equal on both sides. */
function bytesOf(state: RunState): string {
  const { version, at, paused, outstanding } = state;
  return canonicalize({ version, at, paused, outstanding, frozen: freezeState(state) }) ?? '';
}

/** Both invariants compare with the live states: their bytes are computed once. */
const lived = new WeakMap<RunState, string>();
function livedAs(state: RunState): string {
  const bytes = lived.get(state) ?? bytesOf(state);
  lived.set(state, bytes);
  return bytes;
}
