import type { z } from 'zod';
import { flagOf } from './option-names.ts';
import { expectation } from './expectation.ts';
import { nearest } from '../text/nearest.ts';

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
