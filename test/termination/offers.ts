import type { LoopEvent } from '../../machines/events.ts';
import { lifeOf, type Outstanding, type RunState } from '../../src/kernel/fold.ts';
import * as has from '../support/facts.ts';
import { environmentFor } from '../support/environments.ts';

/** All that can come next after an event: what follows from it; else every answer, and every remark. */
export function offers(state: RunState, last: LoopEvent | null): readonly LoopEvent[] {
  const environment = environmentFor(state.entry);
  const following = last && environment.follows(last, state);
  if (following) return [following];
  const answers = state.outstanding.flatMap((effect) => [
    ...environment.answers(effect, state),
    ...pairs(effect, state),
  ]);
  const remarks = environment
    .remarks(state)
    .map((event) => (event.type === 'run.continued' ? has.continued(lifeOf(state).limits) : event));
  return [...new Map([...answers, ...remarks].map((event) => [JSON.stringify(event), event])).values()];
}

/** Two calls side by side, of every kind: more make no more difference. */
function pairs({ actor }: Outstanding, { snapshot }: RunState): readonly LoopEvent[] {
  if (actor !== 'admitCalls') return [];
  const [one, other] = [0, 1].map((index) => `${snapshot.context.steps - 1}.${index}`);
  return ['', '?', '>'].flatMap((kind) => ['', '?'].map((its) => has.callsAdmitted(`${one}${kind}`, `${other}${its}`)));
}
