import { z } from 'zod';

/** The types of the events that a vocabulary holds. Null where it is no union of facts, each with a literal type. */
export function typesIn(vocabulary: z.core.$ZodType): readonly string[] | null {
  if (vocabulary instanceof z.ZodUnion) {
    const all = vocabulary.options.map(typesIn);
    return all.every((types) => types !== null) ? all.flat() : null;
  }
  const type = vocabulary instanceof z.ZodObject ? vocabulary.shape['type'] : undefined;
  return type instanceof z.ZodLiteral ? [...type.values].map(String) : null;
}
