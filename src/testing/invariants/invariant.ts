import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import type { Wandering } from '../wander.ts';

/** Something that holds in every run of every loop. */
export interface Invariant {
  /** As a person reads it. */
  readonly name: string;
  /** `thorough` ones fold the run once more, and look at some runs only. */
  readonly looks: 'always' | 'thorough';
  /** Throws an `InvariantBroken` where it does not hold. */
  readonly check: (run: Wandering, loop: LoopDefinition) => void;
}

/** What was found where something else must hold. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
  /** The version of the run at which it shows. */
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

/** Both are JSON; the order of keys does not count. */
export function same(version: number, what: string, found: unknown, expected: unknown): void {
  if (!isSame(found, expected)) throw new InvariantBroken(version, what, found, expected);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)));
}
