import type { AnyActor } from 'xstate';
import { Uncompilable } from './uncompilable.ts';

/** What the names in a chart stand for. */
export interface Implementations {
  readonly guards: Readonly<Record<string, unknown>>;
  readonly actions: Readonly<Record<string, unknown>>;
  readonly actors: Readonly<Record<string, unknown>>;
  /** What XState hands to functions as the machine itself. */
  readonly self: AnyActor;
}

/** A function in a chart, by its name, with or without parameters, or written in place. */
interface Reference {
  readonly type: string;
  readonly params?: unknown;
}

/** What a guard or an action in a chart stands for; undefined for a name that stands for nothing. */
export const implementationOf = (written: unknown, known: Readonly<Record<string, unknown>>): unknown =>
  typeof written === 'function' ? written : known[nameOf(written)];

export const nameOf = (written: unknown): string => {
  if (typeof written === 'string') return written;
  const { type, name } = written as Partial<Reference> & { readonly name?: string };
  return type ?? name ?? '';
};

/** What functions are called with. */
interface Given {
  readonly context: object;
  readonly event: object;
}

/** The parameters that a chart gives a guard or an action; null for none. */
export function paramsOf(written: unknown): ((given: Given) => unknown) | null {
  if (typeof written !== 'object' || written === null || !('params' in written)) return null;
  const { params } = written;
  if (typeof params !== 'function') return () => params;
  return ({ context, event }) => (params as (given: Given) => unknown)({ context, event });
}

/** A function that a chart names, or the reason why there is none. */
export function functionOf(what: string, written: unknown, known: Readonly<Record<string, unknown>>) {
  const implementation = implementationOf(written, known);
  if (typeof implementation === 'function') return implementation as (...given: unknown[]) => unknown;
  throw new Uncompilable(`${what} ${nameOf(written)} is not a function`);
}
