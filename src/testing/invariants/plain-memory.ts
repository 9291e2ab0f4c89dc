import { type Invariant, InvariantBroken } from './invariant.ts';

/** A snapshot stores the context as JSON: any other value would be lost or changed. */
export const remembersJson: Invariant = {
  name: 'the context is JSON',
  looks: 'always',
  check({ first, happenings }) {
    // A context shares unchanged members with the previous one.
    const seen = new WeakSet<object>();
    for (const { snapshot, version } of [first, ...happenings.map(({ after }) => after)]) {
      const odd = oddIn(snapshot.context, 'context', seen);
      if (odd)
        throw new InvariantBroken(
          version,
          odd.place,
          odd.what,
          'null, a string, a boolean, a finite number, an array or a plain object',
        );
    }
  },
};

interface Odd {
  readonly place: string;
  readonly what: string;
}

function oddIn(value: unknown, place: string, seen: WeakSet<object>): Odd | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return null;
  if (typeof value !== 'object') return { place, what: typeof value === 'number' ? String(value) : typeof value };
  if (seen.has(value)) return null;
  seen.add(value);
  if (!Array.isArray(value) && !isPlain(value)) return { place, what: value.constructor.name };
  for (const [name, member] of Object.entries(value)) {
    const odd = oddIn(member, `${place}.${name}`, seen);
    if (odd) return odd;
  }
  return null;
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));
