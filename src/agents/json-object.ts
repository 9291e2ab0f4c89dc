import { isDeeperThan } from '../log/json-depth.ts';
import { jsonIn } from '../text/json-in.ts';

/** The deepest nesting of JSON that is read: what an agent says is much flatter. */
const MAX_DEPTH = 64;

/** A JSON object of which nothing is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object that a line is. Null: it is no JSON, no object, or nested too deeply. */
export function objectIn(line: string): JsonObject | null {
  const value = /^\s*\{/.test(line) ? jsonIn(line) : undefined;
  return isObject(value) && !isDeeperThan(MAX_DEPTH, value) ? value : null;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member that is an object; otherwise an empty one. */
export function within(value: unknown, ...names: readonly string[]): JsonObject {
  let inner = value;
  for (const name of names) inner = isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  return isObject(inner) ? inner : {};
}

/** A text, with whole characters: the log holds no others. Anything else is an empty one. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '');

/** A whole number of zero or more; anything else is 0. */
export const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
