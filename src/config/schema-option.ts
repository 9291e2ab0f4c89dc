import { z } from 'zod';

const SCHEMA = 'the path of a JSON Schema, a JSON Schema as an object, or a zod schema';

const isZod = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

/** A schema of zod as JSON Schema, which is what is recorded. */
const ZodSchema = z.custom<z.ZodType>(isZod, { error: SCHEMA }).transform((schema, context) => {
  try {
    return z.toJSONSchema(schema) as Record<string, unknown>;
  } catch (error) {
    context.addIssue({ code: 'custom', message: `a zod schema that JSON Schema can say (${String(error)})` });
    return z.NEVER;
  }
});

/** The form of the final answer: a file, JSON Schema, or zod. */
export const SchemaOption = z.union(
  [
    z.string({ error: SCHEMA }).regex(/\S/, { error: SCHEMA }),
    ZodSchema,
    z.record(z.string(), z.unknown(), { error: SCHEMA }),
  ],
  { error: SCHEMA },
);
