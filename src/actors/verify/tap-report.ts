import { Parser, type Result } from 'tap-parser';
import { z } from 'zod';
import type { TestReport } from '../../../machines/events.ts';
import { type SingleTest, tally } from './single-test.ts';
import { tapDocuments } from './tap-lines.ts';

/** More lines of TAP than this are not parsed: it would hold up whatever else this process serves. */
const MAX_TAP_LINES = 20_000;

/** Reads every TAP stream in a text, versions 12 to 14, whatever else was printed in between. Null without one. */
export function readTapReport(text: string): TestReport | null {
  const tests = tapTests(text);
  return tests && tally('tap', tests);
}

/** The tests of these streams. */
export function tapTests(text: string): readonly SingleTest[] | null {
  const documents = tapDocuments(text);
  if (documents.length === 0) return null;
  let room = MAX_TAP_LINES;
  const tests: SingleTest[] = [];
  for (const { name, lines } of documents) {
    const rest = lines.slice(room);
    tests.push(...testsIn(name, lines.slice(0, room), rest.filter(isPoint).length), ...unread(rest));
    room = Math.max(0, room - lines.length);
  }
  return tests;
}

const isPoint = (line: string): boolean => /^(?:not )?ok\b/i.test(line);

/** What is too much to be read hides no failure. */
function unread(lines: readonly string[]): SingleTest[] {
  const failures = lines.filter((line) => /^ *not ok\b(?!.*# *(todo|skip))/i.test(line)).length;
  if (failures === 0) return [];
  const path = [`beyond the first ${MAX_TAP_LINES} lines of TAP`];
  return [{ path, result: 'failed', message: `${failures} more lines say "not ok"` }];
}

/** Of a stream of which only the beginning is parsed, with so many tests behind it. */
function testsIn(name: string, lines: readonly string[], more: number): SingleTest[] {
  const parser = new Parser({});
  const tests = new TapTests(parser, more);
  let bailedOut: SingleTest[] = [];
  parser.on('bailout', (reason: string) => (bailedOut = [{ path: ['Bail out!'], result: 'failed', message: reason }]));
  for (const line of lines) parser.write(`${line}\n`);
  parser.end();
  return [...tests.all(), ...bailedOut].map((test) => within(name, test));
}

const within = (name: string, test: SingleTest): SingleTest => ({ ...test, path: [name, ...test.path] });

interface Leaf {
  readonly path: readonly string[];
  readonly result: SingleTest['result'];
  message: string;
}

/** The leaves among the tests of a stream. One with subtests counts only where it fails although none of them does. */
class TapTests {
  readonly #parser: Parser;
  /** Tests that ran, but are not listed here. */
  readonly #more: number;
  readonly #leaves: Leaf[] = [];
  #inner: { readonly name: string; readonly tests: TapTests } | null = null;
  /** The failed test that comments may still explain. */
  #unexplained: Leaf | null = null;

  constructor(parser: Parser, more = 0) {
    this.#parser = parser;
    this.#more = more;
    parser.on('child', (child: Parser) => {
      this.#closeInner();
      this.#inner = { name: child.name, tests: new TapTests(child) };
    });
    parser.on('assert', (point: Result) => this.#add(point));
    parser.on('comment', (comment: string) => this.#explain(comment.trim()));
  }

  all(): readonly SingleTest[] {
    this.#closeInner();
    const { planStart, planEnd, root } = this.#parser;
    const count = this.#parser.count + this.#more;
    const planned = planStart === -1 ? 0 : planEnd - planStart + 1;
    if (count >= planned || root.bailedOut !== false) return this.#leaves;
    return [...this.#leaves, { path: ['the plan'], result: 'failed', message: `${planned} planned, ${count} run` }];
  }

  #add(point: Result): void {
    const result = resultOf(point);
    const hasFailed = result === 'failed';
    const inner = this.#closeInner(point);
    if (inner.length > 0 && (!hasFailed || inner.some((test) => test.result === 'failed'))) return;
    const leaf: Leaf = { path: [point.name], result, message: hasFailed ? detailOf(point.diag) : '' };
    this.#leaves.push(leaf);
    this.#unexplained = hasFailed && leaf.message === '' ? leaf : null;
  }

  /** Where the test that the subtests belong to may fail or is left out, so may they and are they. */
  #closeInner(parent?: Result): readonly SingleTest[] {
    if (!this.#inner) return [];
    const { name, tests } = this.#inner;
    this.#inner = null;
    const isLeftOut = parent !== undefined && parent.name === name && isExcused(parent);
    const inner = tests.all().map((test) => within(name || (parent?.name ?? ''), test));
    const closed = isLeftOut ? inner.map((test): SingleTest => ({ ...test, result: 'skipped' })) : inner;
    this.#leaves.push(...closed);
    return closed;
  }

  #explain(comment: string): void {
    if (!this.#unexplained || /^# (Subtest\b|test count\()/.test(comment)) return;
    this.#unexplained.message += `${comment.replace(/^# ?/, '')}\n`;
  }
}

const isExcused = ({ todo, skip }: Result): boolean => todo !== false || skip !== false;

function resultOf(point: Result): SingleTest['result'] {
  if (isExcused(point)) return 'skipped';
  return point.ok ? 'passed' : 'failed';
}

const Said = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);
const Detail = z.object({ error: Said.optional(), message: Said.optional() }).loose();

/** What the reporters of node and vitest call an error, and others a message; else all they say. */
function detailOf(detail: unknown): string {
  const known = Detail.safeParse(detail).data;
  return known?.error ?? known?.message ?? (detail == null ? '' : allOf(detail));
}

function allOf(detail: unknown): string {
  try {
    return typeof detail === 'string' ? detail : JSON.stringify(detail);
  } catch {
    return '';
  }
}
