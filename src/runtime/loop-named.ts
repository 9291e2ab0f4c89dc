import { type LoopDefinition, newestOf } from './loop-definition.ts';

/** A run names a loop that this process does not have. */
class UnknownLoopError extends Error {
  override readonly name = 'UnknownLoopError';
  readonly loop: string;
  readonly known: readonly string[];

  constructor(loop: string, loops: readonly LoopDefinition[]) {
    const known = loops.map(({ id }) => id);
    super(`there is no loop ${JSON.stringify(loop)} here; known: ${known.join(', ')}. Hand its definition in.`);
    this.loop = loop;
    this.known = known;
  }
}

/** The loop that a new run of that name is: its newest version. Throws an `UnknownLoopError`. */
export function loopNamed(name: string, loops: readonly LoopDefinition[]): LoopDefinition {
  const found = newestOf(name, loops);
  if (!found) throw new UnknownLoopError(name, loops);
  return found;
}
