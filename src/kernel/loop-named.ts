import { type LoopDefinition, newestOf } from './loop-definition.ts';

/** A run names a loop that this process does not have. */
class UnknownLoopError extends Error {
  override readonly name = 'UnknownLoopError';
  readonly loop: string;
  readonly known: readonly string[];

  constructor(loop: string, loops: readonly LoopDefinition[]) {
    const known = loops.map(({ id }) => id);
    super(
      `there is no loop ${JSON.stringify(loop)} here; known: ${known.join(', ')}. Pass its definition in \`loops\`.`,
    );
    this.loop = loop;
    this.known = known;
  }
}

/** The newest version of the loop with that name, for a new run. Throws an `UnknownLoopError`. */
export function loopNamed(name: string, loops: readonly LoopDefinition[]): LoopDefinition {
  const found = newestOf(name, loops);
  if (!found) throw new UnknownLoopError(name, loops);
  return found;
}
