import { freeze, refusal, step } from '../../runtime/step.ts';
import { hasEnded } from '../../runtime/fold.ts';
import { type Invariant, same } from './invariant.ts';

/** So many of what was refused in one run. */
const MAX_LOOKED_AT = 12;

/** XState swallows what it does not expect: what is refused would have done nothing, and what is accepted is never swallowed. */
export const refusalsChangeNothing: Invariant = {
  name: 'what is refused is refused for a reason, and changes nothing',
  looks: 'thorough',
  check({ refused }, { machine }) {
    for (const { event, at } of refused.slice(0, MAX_LOOKED_AT)) {
      same(at.version, `why ${event.type} is refused`, refusal(at.snapshot, event), hasEnded(at) ? 'ended' : 'unexpected');
      if (hasEnded(at)) continue;
      const before = freeze(machine, at.snapshot);
      const { snapshot, effects } = step(machine, at.snapshot, event);
      same(at.version, `what ${event.type} asks for in vain`, effects, []);
      same(at.version, `the state after ${event.type} in vain`, freeze(machine, snapshot), before);
      same(at.version, `the state that refused ${event.type}`, freeze(machine, at.snapshot), before);
    }
  },
};
