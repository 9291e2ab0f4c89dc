import { inspect } from 'node:util';
import { head } from '../../text/excerpt.ts';

/** What a module brought, once it was seen to have the members of a strategy. */
export interface Made {
  readonly name: string;
  onIterationComplete(event: unknown): unknown;
  onLoopEnd?(event: unknown): unknown;
}

type Constructor = new (config: unknown) => unknown;
type Factory = (config: unknown) => unknown;

const MAX_NAME_CHARS = 100;
const SHOWN_CHARS = 80;

/** What an export stands for: a class and a factory are called with the config, anything else is taken as it is. */
export async function instanceOf(exported: unknown, config: unknown): Promise<unknown> {
  if (typeof exported !== 'function') return exported;
  return isClass(exported) ? new (exported as unknown as Constructor)(config) : (exported as Factory)(config);
}

/** `class` says so; a constructor from before that word has the methods on its prototype. */
function isClass(exported: object): boolean {
  if (/^class\b/.test(Function.prototype.toString.call(exported))) return true;
  const prototype: unknown = Reflect.get(exported, 'prototype');
  return typeof prototype === 'object' && prototype !== null && 'onIterationComplete' in prototype;
}

/** The first member of a strategy that is not as it has to be, and what is there; null where all are. */
export function lackIn(strategy: unknown): { readonly lacks: string; readonly found: string } | null {
  if (typeof strategy !== 'object' || strategy === null) return lack('name and onIterationComplete', strategy);
  const { name, onIterationComplete, onLoopEnd } = strategy as { readonly [member: string]: unknown };
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_CHARS || !name.isWellFormed()) {
    return lack(`name, a text of 1 to ${MAX_NAME_CHARS} characters`, name);
  }
  if (typeof onIterationComplete !== 'function') return lack('onIterationComplete, a function', onIterationComplete);
  if (onLoopEnd !== undefined && typeof onLoopEnd !== 'function')
    return lack('onLoopEnd, a function where it is there', onLoopEnd);
  return null;
}

const lack = (lacks: string, found: unknown) => ({ lacks, found: head(inspect(found, { depth: 0 }), SHOWN_CHARS) });
