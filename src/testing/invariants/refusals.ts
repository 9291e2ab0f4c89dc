import { freeze, refusal, step } from '../../kernel/step.ts';
import { hasEnded } from '../../kernel/fold.ts';
import { type Invariant, same } from './invariant.ts';

/** At most so many refused events of one run are checked. */
const MAX_LOOKED_AT = 12;

/**
 * XState silently ignores unexpected events. A refused event would have changed nothing, and an accepted event is never
 * ignored.
 */
export const refusalsChangeNothing: Invariant = {
  name: 'a refused event has a reason, and changes nothing',
  looks: 'thorough',
  check({ refused }, { machine }) {
    for (const { event, at } of refused.slice(0, MAX_LOOKED_AT)) {
      same(
        at.version,
        `why ${event.type} is refused`,
        refusal(at.snapshot, event),
        hasEnded(at) ? 'ended' : 'unexpected',
      );
      if (hasEnded(at)) continue;
      const before = freeze(machine, at.snapshot);
      const { snapshot, effects } = step(machine, at.snapshot, event);
      same(at.version, `what ${event.type} asks for in vain`, effects, []);
      same(at.version, `the state after ${event.type} in vain`, freeze(machine, snapshot), before);
      same(at.version, `the state that refused ${event.type}`, freeze(machine, at.snapshot), before);
    }
  },
};
