import canonicalize from 'canonicalize';

/** Deeper values are left to the library, which also tells of those that contain themselves. */
const MAX_DEPTH = 50;

/**
 * RFC 8785 text of a member of a context, as the library writes it: contexts of own loops pass no gate, and may hold
 * anything. Plain data, which almost all of it is, is written here, in half the time.
 *
 * @example
 * rememberedText({ b: 1, a: undefined }); // '{"b":1}'
 */
export const rememberedText = (value: unknown): string => plainText(value, 0) ?? canonicalize(value ?? null) ?? '';

/** Null where it is not plain data. */
function plainText(value: unknown, depth: number): string | null {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? JSON.stringify(value) : null;
    case 'number':
      // A -0 is written as 0.
      return Number.isFinite(value) ? `${value}` : null;
    case 'boolean':
      return `${value}`;
    case 'object':
      if (value === null) return 'null';
      if (depth === MAX_DEPTH || 'toJSON' in value) return null;
      return Array.isArray(value) ? items(value, depth + 1) : members(value, depth + 1);
    default:
      return null;
  }
}

function items(values: readonly unknown[], depth: number): string | null {
  let text = '';
  for (const value of values) {
    const item = plainText(value, depth);
    if (item === null) return null;
    text += text === '' ? item : `,${item}`;
  }
  return `[${text}]`;
}

function members(object: object, depth: number): string | null {
  if (Object.getPrototypeOf(object) !== Object.prototype) return null;
  let text = '';
  for (const key of Object.keys(object).toSorted()) {
    const value: unknown = Reflect.get(object, key);
    if (value === undefined) continue;
    const [name, item] = [plainText(key, depth), plainText(value, depth)];
    if (name === null || item === null) return null;
    text += text === '' ? `${name}:${item}` : `,${name}:${item}`;
  }
  return `{${text}}`;
}
