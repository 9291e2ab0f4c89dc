import canonicalize from 'canonicalize';
import type { EventOf, LoopEvent, Recorded } from '../../../machines/events.ts';
import type { CatalogueEntry } from '../../../machines/index.ts';
import { fold, freezeState, open, type RunState, thawState } from '../../runtime/fold.ts';
import { refusal } from '../../runtime/step.ts';
import { InvariantBroken, type Invariant, same } from './invariant.ts';

/** The log as it comes back from a store: other objects, their keys in another order. */
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

/** From a snapshot of any version: the versions are spread over the run. */
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

/** Recovery asks what a live run asked before it took an event: the answer must be the same. */
function taken(state: RunState, event: Recorded<LoopEvent>): RunState {
  same(event.version, `why ${event.type} is refused`, refusal(state.snapshot, event), null);
  return fold(state, event);
}

const stored = <Value>(value: Value): Value => JSON.parse(canonicalize(value) ?? 'null');
/** Read off the state too: what freezing forgets would be the same on both sides. */
function bytesOf(state: RunState): string {
  const { version, at, paused, outstanding } = state;
  return canonicalize({ version, at, paused, outstanding, frozen: freezeState(state) }) ?? '';
}

/** Both proofs look at the states that were live. */
const lived = new WeakMap<RunState, string>();
function livedAs(state: RunState): string {
  const bytes = lived.get(state) ?? bytesOf(state);
  lived.set(state, bytes);
  return bytes;
}
