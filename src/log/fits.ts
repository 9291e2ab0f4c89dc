import { z } from 'zod';

/** Compiling a schema takes about a millisecond, as long as some hundred values of it. */
const COMPILED_AFTER_VALUES = 200;

/** How many values a schema has seen, or its compiled form. */
const schemas = new WeakMap<z.ZodType, { seen: number; compiled: z.ZodType | null }>();

/** Whether a value fits a schema. One that has many values is compiled; what is wrong with a value, it does not say. */
export function fits(schema: z.ZodType, value: unknown): boolean {
  let known = schemas.get(schema);
  if (!known) {
    known = { seen: 0, compiled: null };
    schemas.set(schema, known);
  }
  if (known.compiled) return known.compiled.validate(value);
  known.seen += 1;
  if (known.seen === COMPILED_AFTER_VALUES) known.compiled = z.compile(schema);
  return schema.validate(value);
}
