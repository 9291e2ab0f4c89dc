import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { compilationOf } from './compile.ts';

/** What of a machine is compiled, in words; or the part that leaves it to XState as a whole. */
export type CompiledParts =
  | {
      readonly isCompiled: true;
      readonly places: readonly CompiledPlace[];
      /** The names of its actors: what it can ask to be started. */
      readonly effects: readonly string[];
    }
  | { readonly isCompiled: false; readonly because: string };

interface CompiledPlace {
  /** `stream.asking`. */
  readonly place: string;
  /** The types of events that it takes or forbids, its outer states' included. */
  readonly events: readonly string[];
  /** What runs while the machine rests there, its outer states' included: `deadline`, `model`. */
  readonly effects: readonly string[];
}

/** What of a machine is compiled. */
export function compiledPartsOf(machine: AnyStateMachine): CompiledParts {
  const compilation = compilationOf(machine);
  if (compilation.kind === 'interpreted') return { isCompiled: false, because: compilation.because };
  const places = compilation.machine.places.filter(({ isEnding }) => !isEnding);
  const told = places.map(({ leaf, nodes, candidates }) => ({
    place: leaf.path.join('.'),
    events: [...candidates.keys()],
    effects: nodes.flatMap((node: AnyStateNode) => node.invoke.map(({ id }) => id)),
  }));
  return { isCompiled: true, places: told, effects: Object.keys(machine.implementations.actors) };
}
