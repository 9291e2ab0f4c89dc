import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { RandomWalk } from '../random-walk.ts';

/** A property of every run of a loop. */
export interface Invariant {
  /** The property in one clause: the name of its proof. */
  readonly name: string;
  /** `thorough` invariants fold the run again, and check only some runs. */
  readonly looks: 'always' | 'thorough';
  /** Throws an `InvariantBroken` where the property does not hold. */
  readonly check: (run: RandomWalk, loop: LoopDefinition) => void;
}

/** An invariant does not hold: what was found, and what was expected. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
  /** The version of the run at which it was found. */
  readonly version: number;
  readonly found: unknown;
  readonly expected: unknown;

  constructor(version: number, what: string, found: unknown, expected: unknown) {
    super(`version ${version}: ${what} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
    this.version = version;
    this.found = found;
    this.expected = expected;
  }
}

/** Throws an `InvariantBroken` unless two JSON values are equal. The order of keys does not count. */
export function same(version: number, what: string, found: unknown, expected: unknown): void {
  if (!isSame(found, expected)) throw new InvariantBroken(version, what, found, expected);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)))
  );
}
