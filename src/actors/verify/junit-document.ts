import { SaxesParser } from 'saxes';
import type { SingleTest } from './single-test.ts';

/** What is read of a document at first, and then twice as much each time: it may end soon. */
const FIRST_PIECE_CHARS = 512;
/** Suites may be nested without end: a name shows the innermost. */
const MAX_SUITES = 20;
/** No XML may contain these, but reporters print them as they come. */
// oxlint-disable-next-line no-control-regex
const NO_XML = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

type Attributes = Readonly<Record<string, string>>;

interface Suite {
  /** Null for the one around all, whose name is no part of a test's. */
  readonly name: string | null;
  /** How many failures it says it has. */
  readonly claimed: number;
  /** One of its tests was seen to fail, if only one that may. */
  showsFailure: boolean;
}

interface Case {
  readonly attributes: Attributes;
  readonly failures: string[];
  isSkipped: boolean;
  /** Still to be done, so it may fail. */
  isTodo: boolean;
}

/** One JUnit document that begins at a place in a text. No entity, type or file that it names is looked up. */
export class JunitDocument {
  readonly tests: SingleTest[] = [];
  /** It was read to the end of its root. */
  isWhole = false;
  /** The place behind it in the text; where it never ends, that of the text. */
  readonly end: number;
  #isOver = false;
  #depth = 0;
  readonly #suites: Suite[] = [];
  #case: Case | null = null;
  #failure: { readonly message: string; text: string } | null = null;

  constructor(text: string, start: number) {
    const parser = new SaxesParser({});
    let length = text.length - start;
    parser.on('error', () => (this.#isOver = true));
    parser.on('opentag', ({ name, attributes }) => this.#isOver || this.#open(name, attributes));
    parser.on('text', (piece) => this.#say(piece));
    parser.on('cdata', (piece) => this.#say(piece));
    parser.on('closetag', ({ name }) => {
      if (this.#isOver) return;
      this.#close(name);
      this.#depth -= 1;
      if (this.#depth > 0) return;
      this.isWhole = true;
      this.#isOver = true;
      length = parser.position;
    });
    for (let at = start, chars = FIRST_PIECE_CHARS; at < text.length && !this.#isOver; at += chars, chars *= 2) {
      // Each becomes one space, so that places in the text stay what they are.
      parser.write(text.slice(at, at + chars).replace(NO_XML, ' '));
    }
    this.end = start + length;
  }

  #open(tag: string, attributes: Attributes): void {
    this.#depth += 1;
    switch (tag) {
      case 'testsuites':
      case 'testsuite':
        this.#suites.push({
          name: tag === 'testsuite' ? (attributes['name'] ?? '') : null,
          claimed: claimedBy(attributes),
          showsFailure: false,
        });
        break;
      case 'testcase':
        this.#case = { attributes, failures: [], isSkipped: false, isTodo: false };
        break;
      case 'skipped':
        this.#skip(attributes['type'] === 'todo');
        break;
      case 'failure':
      case 'error':
        this.#failure = { message: attributes['message'] ?? '', text: '' };
    }
  }

  #skip(isTodo: boolean): void {
    if (!this.#case) return;
    this.#case.isSkipped = true;
    this.#case.isTodo ||= isTodo;
  }

  #say(piece: string): void {
    if (this.#failure) this.#failure.text += piece;
  }

  #close(tag: string): void {
    switch (tag) {
      case 'testsuites':
      case 'testsuite':
        this.#closeSuite();
        break;
      case 'testcase':
        this.#closeCase();
        break;
      case 'failure':
      case 'error':
        this.#closeFailure();
    }
  }

  /** A failure outside of every test is the suite's own. */
  #closeFailure(): void {
    if (!this.#failure) return;
    const { message, text } = this.#failure;
    const body = text.trim();
    const said = body.startsWith(message.trim()) ? body : `${message.trim()}\n${body}`;
    if (this.#case) this.#case.failures.push(said);
    else this.#add([], 'failed', said);
    this.#failure = null;
  }

  #closeCase(): void {
    if (!this.#case) return;
    const { attributes, failures, isSkipped, isTodo } = this.#case;
    const { name = '', classname = '' } = attributes;
    const path = this.#isSaidAlready(classname, name) ? [name] : [classname, name];
    for (const suite of failures.length > 0 ? this.#suites : []) suite.showsFailure = true;
    if (failures.length > 0 && !isTodo) this.#add(path, 'failed', failures.join('\n'));
    else this.#add(path, isSkipped ? 'skipped' : 'passed', '');
    this.#case = null;
  }

  /** Some reporters give only numbers, or leave out the tests that they count. */
  #closeSuite(): void {
    const suite = this.#suites.at(-1);
    if (suite && suite.claimed > 0 && !suite.showsFailure)
      this.#add([], 'failed', `${suite.claimed} of its tests failed`);
    this.#suites.pop();
  }

  #add(path: readonly string[], result: SingleTest['result'], message: string): void {
    for (const suite of result === 'failed' ? this.#suites : []) suite.showsFailure = true;
    this.tests.push({ path: [...this.#suiteNames(), ...path], result, message });
  }

  #suiteNames(): string[] {
    return this.#suites.slice(-MAX_SUITES).flatMap(({ name }) => name ?? []);
  }

  #isSaidAlready(classname: string, name: string): boolean {
    const suites = this.#suiteNames();
    return [name, suites.at(-1), suites.join('.'), suites.join(' ')].includes(classname);
  }
}

const claimedBy = ({ failures, errors }: Attributes): number => (Number(failures) || 0) + (Number(errors) || 0);
