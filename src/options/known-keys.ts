import type { z } from 'zod';
import type { Known } from './config-fault.ts';

/** The keys that an object of this schema may have, at any path into it. */
export const knownKeys =
  (schema: z.core.$ZodType): Known =>
  (path) =>
    path.reduce((found, key) => found.flatMap((one) => inside(one, key)), forms(schema)).flatMap(keysOf);

/** The schemas of a value, without wrappers for defaults, unions and transforms. */
function forms(schema: z.core.$ZodType): z.core.$ZodTypeDef[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return forms(def.innerType);
    case 'pipe':
      return [...forms(def.in), ...forms(def.out)];
    case 'union':
      return def.options.flatMap(forms);
    default:
      return [def];
  }
}

function inside(def: z.core.$ZodTypeDef, key: PropertyKey): z.core.$ZodTypeDef[] {
  if (isObject(def)) {
    const member = def.shape[String(key)];
    return member ? forms(member) : [];
  }
  if (def.type === 'array') return forms((def as z.core.$ZodArrayDef).element);
  return def.type === 'record' ? forms((def as z.core.$ZodRecordDef).valueType) : [];
}

const keysOf = (def: z.core.$ZodTypeDef): string[] => (isObject(def) ? Object.keys(def.shape) : []);

const isObject = (def: z.core.$ZodTypeDef): def is z.core.$ZodObjectDef => def.type === 'object';
