import { MAX_JSON_DEPTH } from '../../machines/json.ts';

/** Where a value stops being JSON, and what was found there. */
export interface JsonFault {
  /** From the value's top: `$.calls[0]["odd key"]`. */
  readonly path: string;
  readonly found: string;
}

/**
 * Names the first thing in a value that JSON cannot say, or null when it all fits. Nothing is converted on the way:
 * a date, an `undefined` member or a hole in an array is a fault. A `-0` passes, and is written as `0`.
 *
 * @example
 * jsonFault({ calls: [{ at: new Date() }] }); // { path: '$.calls[0].at', found: 'an instance of Date' }
 */
export function jsonFault(value: unknown): JsonFault | null {
  return faultIn(value, []);
}

function faultIn(value: unknown, ancestors: object[]): JsonFault | null {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? null : here('a string with a lone surrogate');
    case 'number':
      return Number.isFinite(value) ? null : here(String(value));
    case 'boolean':
      return null;
    case 'object':
      return value === null ? null : faultInside(value, ancestors);
    case 'undefined':
      return here('undefined');
    default:
      return here(`a ${typeof value}`);
  }
}

function faultInside(value: object, ancestors: object[]): JsonFault | null {
  if (ancestors.includes(value)) return here('a cycle');
  if (ancestors.length === MAX_JSON_DEPTH) return here(`nesting deeper than ${MAX_JSON_DEPTH}`);
  ancestors.push(value);
  const fault = Array.isArray(value) ? faultInArray(value, ancestors) : faultInObject(value, ancestors);
  ancestors.pop();
  return fault;
}

function faultInArray(array: readonly unknown[], ancestors: object[]): JsonFault | null {
  if (Object.getPrototypeOf(array) !== Array.prototype) return here(instanceOf(array));
  for (let index = 0; index < array.length; index += 1) {
    const fault = Object.hasOwn(array, index) ? faultIn(array[index], ancestors) : here('a hole');
    if (fault) return below(`[${index}]`, fault);
  }
  const extra = Reflect.ownKeys(array)[array.length + 1];
  return extra === undefined ? null : here(`an array with the property ${String(extra)}`);
}

function faultInObject(object: object, ancestors: object[]): JsonFault | null {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return here(instanceOf(object));
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === 'symbol') return here(`the symbol key ${String(key)}`);
    const fault = faultInMember(object, key, ancestors);
    if (fault) return below(member(key), fault);
  }
  return null;
}

function faultInMember(object: object, key: string, ancestors: object[]): JsonFault | null {
  if (!key.isWellFormed()) return here('a key with a lone surrogate');
  const property = Object.getOwnPropertyDescriptor(object, key);
  if (!property?.enumerable) return here('a hidden property');
  if (property.get ?? property.set) return here('an accessor');
  return faultIn(property.value, ancestors);
}

const here = (found: string): JsonFault => ({ path: '$', found });
const below = (step: string, { path, found }: JsonFault): JsonFault => ({ path: `$${step}${path.slice(1)}`, found });
const member = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

function instanceOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const made = typeof prototype === 'object' && prototype !== null ? prototype.constructor : undefined;
  return made?.name ? `an instance of ${made.name}` : 'an object with a prototype of its own';
}
