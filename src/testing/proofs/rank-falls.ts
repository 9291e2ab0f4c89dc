import type { AnyEvent } from '../../../machines/events.ts';
import type { RunState } from '../../runtime/fold.ts';
import { isExternal } from '../../termination/external.ts';
import { InvariantBroken, type Invariant } from '../invariants/invariant.ts';

/** Why the runs of a loop end. */
export interface Rank<Event extends AnyEvent = AnyEvent> {
  /** How many more events a run can take at most without input from outside: a natural number. */
  readonly of: (state: RunState) => number;
  /** Whether an event of the loop's own is such input: a person's word, or something begun again. */
  readonly isInput?: (event: Event) => boolean;
}

/** A rank that falls with every event, and cannot fall for ever, is why a run ends. */
export const rankFalls = ({ of, isInput = () => false }: Rank): Invariant => ({
  name: 'the rank falls with every event that is no input from outside',
  looks: 'always',
  check({ happenings }) {
    for (const { event, before, after } of happenings) {
      const [then, now] = [of(before), of(after)];
      if (!Number.isSafeInteger(now) || now < 0) throw new InvariantBroken(event.version, 'the rank', now, 'a natural number');
      if (now >= then && !isExternal(event) && !isInput(event)) {
        throw new InvariantBroken(event.version, `the rank after ${event.type}`, now, `less than ${then}`);
      }
    }
  },
});
