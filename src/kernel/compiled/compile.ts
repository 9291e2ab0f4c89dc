import type { AnyStateMachine } from 'xstate';
import { selfOf } from '../interpret.ts';
import { CompiledMachine } from './compiled-machine.ts';
import { Uncompilable } from './uncompilable.ts';

/** A machine compiled, or the reason why XState takes all of its steps. */
export type Compilation =
  | { readonly kind: 'compiled'; readonly machine: CompiledMachine }
  | { readonly kind: 'interpreted'; readonly because: string };

const compilations = new WeakMap<AnyStateMachine, Compilation>();

/** Compiles a machine once. */
export function compilationOf(machine: AnyStateMachine): Compilation {
  const known = compilations.get(machine);
  if (known) return known;
  const compilation = compile(machine);
  compilations.set(machine, compilation);
  return compilation;
}

/** Null: XState takes the machine's steps. */
export function compiledOf(machine: AnyStateMachine): CompiledMachine | null {
  const compilation = compilationOf(machine);
  return compilation.kind === 'compiled' ? compilation.machine : null;
}

function compile(machine: AnyStateMachine): Compilation {
  try {
    const { guards, actions, actors } = machine.implementations;
    return {
      kind: 'compiled',
      machine: new CompiledMachine(machine, { guards, actions, actors, self: selfOf(machine) }),
    };
  } catch (error) {
    if (error instanceof Uncompilable) return { kind: 'interpreted', because: error.message };
    throw error;
  }
}
