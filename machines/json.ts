import { z } from 'zod';

/** Deeper values are refused, by the gate of the log as well. */
export const MAX_JSON_DEPTH = 1_000;

/**
 * Any JSON, checked as it stands and not copied. `z.json()` says the same with a schema that contains itself, which
 * `z.compile` leaves as it is.
 */
export const Json = z
  .unknown()
  .refine((value) => isJson(value, MAX_JSON_DEPTH), { error: 'expected JSON' }) as z.ZodType<z.core.util.JSONType>;
export type Json = z.infer<typeof Json>;

function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0) return false;
  // A hole of an array is a value here, which `every` would leave out.
  if (Array.isArray(value)) return Array.from<unknown>(value).every((item) => isJson(item, depth - 1));
  return isPlain(value) && Object.values(value).every((item) => isJson(item, depth - 1));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
