import { z } from 'zod';

/** The event types of a vocabulary. Null where it is not a union of facts with literal types. */
export function typesIn(vocabulary: z.core.$ZodType): readonly string[] | null {
  if (vocabulary instanceof z.ZodUnion) {
    const all = vocabulary.options.map(typesIn);
    return all.every((types) => types !== null) ? all.flat() : null;
  }
  const type = vocabulary instanceof z.ZodObject ? vocabulary.shape['type'] : undefined;
  return type instanceof z.ZodLiteral ? [...type.values].map(String) : null;
}
