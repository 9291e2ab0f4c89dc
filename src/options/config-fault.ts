import type { z } from 'zod';
import { flagOf } from './option-table.ts';
import { expectation } from './expectation.ts';
import { nearest } from '../text/nearest.ts';
import { inspect } from 'node:util';
import { head } from '../text/excerpt.ts';

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

/** One invalid option. */
export interface ConfigFault {
  /** The field: `maxSteps`, `checks[0].level`. */
  readonly field: string;
  /** The flag or the variable that sets it; null where neither does, or for the options as a whole. */
  readonly flag: string | null;
  /** The file, with the line where that is known. */
  readonly file?: string;
  /** The value; undefined where it is absent. */
  readonly value: unknown;
  /** Ends the sentence "expected …". */
  readonly expected: string;
  /** The value that was probably meant. */
  readonly suggestion: string | null;
  /** A code for programs, where a value can be wrong in several ways. */
  readonly code?: string;
}

const WHOLE = 'options';

export function faultAt(
  field: string,
  value: unknown,
  expected: string,
  suggestion: string | null = null,
): ConfigFault {
  const top = field.split(/[.[]/, 1)[0];
  return { field, flag: top === WHOLE || top === undefined ? null : flagOf(top), value, expected, suggestion };
}

/** The known keys at a path. */
export type Known = (path: readonly PropertyKey[]) => readonly string[];

/** The faults of an input by its schema, in the order of its fields. */
export function faultsOf(error: z.ZodError, input: unknown, known: Known): ConfigFault[] {
  return telling(error.issues).flatMap((issue) => faultsOfIssue(issue, input, known));
}

type Issue = z.core.$ZodIssue;

function faultsOfIssue(issue: Issue, input: unknown, known: Known): ConfigFault[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(issue.path, key, input, known));
  const inner = issue.code === 'invalid_union' ? deeper(issue.errors) : [];
  if (inner.length > 0) {
    return telling(inner).flatMap((nested) =>
      faultsOfIssue({ ...nested, path: [...issue.path, ...nested.path] }, input, known),
    );
  }
  return [faultAt(fieldName(issue.path), valueAt(input, issue.path), expectation(issue.message) ?? issue.message)];
}

/** Of a value of another type, only that: a text in place of a list would be too long, too. */
function telling(issues: readonly Issue[]): readonly Issue[] {
  const ofOtherType = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => fieldName(path)));
  return issues.filter(({ code, path }) => code === 'invalid_type' || !ofOtherType.has(fieldName(path)));
}

/** Of a union, the branch that matched deepest has the most useful faults. */
const deeper = (branches: readonly (readonly Issue[])[]): readonly Issue[] =>
  branches.find((issues) => issues.some(({ path, code }) => path.length > 0 || code === 'unrecognized_keys')) ?? [];

function unknownKey(path: readonly PropertyKey[], key: string, input: unknown, known: Known): ConfigFault {
  const here = [...path, key];
  return faultAt(fieldName(here), valueAt(input, here), 'a known option', nearest(key, known(path)));
}

const fieldName = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1) || WHOLE;

/** The value at a path, or the text around it where the path leads into a text. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return value;
    value = Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined;
  }
  return value;
}

const SHOWN_CHARS = 80;

/**
 * A fault as one sentence.
 *
 * @example
 * faultSentence(faultAt('maxSteps', -1, 'a whole number'));
 * // 'maxSteps (--max-steps): expected a whole number, found -1'
 */
export function faultSentence({ field, flag, file, value, expected, suggestion }: ConfigFault): string {
  const where = `${file === undefined ? '' : `${file}: `}${field}${flag === null ? '' : ` (${flag})`}`;
  const shown = inspect(value, { depth: 1, breakLength: Infinity });
  const found = value === undefined ? 'nothing' : head(shown, SHOWN_CHARS);
  const hint = suggestion === null ? '' : `. Did you mean ${suggestion}?`;
  return `${where}: expected ${expected}, found ${found}${hint}`;
}
