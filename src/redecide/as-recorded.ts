import type { Outcome } from '../../machines/outcome.ts';
import type { Decision } from '../kernel/decision.ts';

/**
 * The other decision in the words of the time of the recorded one: before it was said whether passed checks are enough,
 * no success says it.
 */
export function asRecorded(recorded: Decision, other: Decision): Decision {
  const [then, now] = [verifiedIn(recorded), verifiedIn(other)];
  if (!then || !now || then.enough !== undefined) return other;
  const { enough: _, ...verified } = now;
  return { ...other, sink: { ...other.sink, verified } as Outcome };
}

const verifiedIn = ({ sink }: Decision) => (sink?.ending === 'success' ? sink.verified : null);
