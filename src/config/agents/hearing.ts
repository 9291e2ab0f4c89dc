import { faultSentence } from '../fault.ts';
import type { Fields } from './fields.ts';

/** Reads the fields of one agent, and keeps what is to be said about them. */
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

  /** What was said; undefined where nothing was. */
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

  words(field: string): string | undefined {
    const value = this.value(field);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    return this.refuse(field, value, 'words');
  }
}
