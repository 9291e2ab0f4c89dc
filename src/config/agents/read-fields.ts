import { z } from 'zod';
import { faultsOf, knownKeys, faultSentence } from '../../options/config-fault.ts';
import { RunOptions } from '../options.ts';
import { fromText } from '../text-form.ts';
import type { Fields } from './front-matter.ts';

/** Fields that have the name and the form of an option. */
type OptionField =
  | 'strategy'
  | 'detectors'
  | 'polling'
  | 'effort'
  | 'temperature'
  | 'maxAnswerTokens'
  | 'providerOptions';

/** Reads the fields of one agent, and collects faults and warnings. */
export class Hearing {
  readonly problems: string[] = [];
  readonly warnings: string[] = [];
  readonly #file: string;
  readonly #firstLine: number;
  readonly #fields: Fields;

  constructor(file: string, firstLine: number, fields: Fields) {
    this.#file = file;
    this.#firstLine = firstLine;
    this.#fields = fields;
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  /** The value; undefined where it is absent. */
  value(field: string): unknown {
    return this.#fields.get(field)?.value ?? undefined;
  }

  line(field: string): number {
    return this.#fields.get(field)?.line ?? this.#firstLine;
  }

  refuse(field: string, value: unknown, expected: string, suggestion: string | null = null): undefined {
    const file = `${this.#file}:${this.line(field)}`;
    this.problems.push(faultSentence({ field, flag: null, file, value, expected, suggestion }));
    return undefined;
  }

  warn(field: string, said: string): undefined {
    this.warnings.push(`${this.#file}:${this.line(field)}: ${field}${said}`);
    return undefined;
  }

  wholeNumber(field: string, least: number): number | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    return this.refuse(field, value, `a whole number, ${least} or more`);
  }

  /** An option of a run, as in any other source. A fault inside of it has its own field name. */
  option(field: OptionField): unknown {
    const said = this.value(field);
    if (said === undefined) return undefined;
    const form = typeof said === 'string' ? fromText(field, said) : ({ kind: 'value', value: said } as const);
    if (form.kind === 'unreadable') return this.refuse(field, said, form.expected);
    const parsed = RunOptions.shape[field].safeParse(form.value);
    if (parsed.success) return form.value;
    const placed = parsed.error.issues.map((issue) => ({ ...issue, path: [field, ...issue.path] }));
    for (const fault of faultsOf(new z.ZodError(placed), { [field]: form.value }, knownKeys(RunOptions))) {
      this.problems.push(faultSentence({ ...fault, flag: null, file: `${this.#file}:${this.line(field)}` }));
    }
    return undefined;
  }

  words(field: string): string | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    return this.refuse(field, value, 'words');
  }
}
