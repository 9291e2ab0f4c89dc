import { type RepetitionRule, RepeatedWindows } from './window-repeats.ts';

/** A longer line of punctuation is not a divider. */
const MAX_DIVIDER_CHARS = 300;
const MIN_DIVIDER_CHARS = 3;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const FENCE = /^(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const MAYBE_NUMBERED = /^\d{1,9}[.)]?$/;
const HEADING_OR_QUOTE = /^(?:#{1,6}(?:\s|$)|>)/;

type Line = 'undecided' | 'text' | 'skipped';

/** What is remembered between two answers. */
export interface ListenerState {
  readonly text: string;
  /** The fence of a code block that is not closed yet. */
  readonly fence: string | null;
}

/**
 * Receives the text of a model in pieces of any size, and notices when it repeats the same text. Text that repeats by
 * its nature does not count: code blocks and tables are skipped, and each fence, table, list item, heading, quote and
 * divider begins a new stretch; of dividers one below the other the first alone.
 *
 * @example
 * const listener = new RepetitionListener(RULE);
 * const isRepeated = listener.add('Let me look at that again. '.repeat(50));
 */
export class RepetitionListener {
  readonly #windows: RepeatedWindows;
  #fence: string | null;
  #line: Line = 'undecided';
  /** The beginning of the line, until its kind is known; in a code block all of it. */
  #head = '';
  #isRepeated = false;
  /** The line before was a divider: another one right below it divides nothing. */
  #isBelowDivider = false;

  constructor(rule: RepetitionRule, { text, fence }: ListenerState = { text: '', fence: null }) {
    this.#windows = new RepeatedWindows(rule);
    this.#windows.add(text);
    this.#fence = fence;
  }

  get state(): ListenerState {
    return { text: this.#windows.text, fence: this.#fence };
  }

  /** Whether a text was repeated too often. Once true, it stays true. */
  add(piece: string): boolean {
    let from = 0;
    while (from < piece.length && !this.#isRepeated) {
      const newline = piece.indexOf('\n', from);
      const end = newline === -1 ? piece.length : newline;
      this.#go(piece.slice(from, end));
      if (newline !== -1) this.endLine();
      from = end + 1;
    }
    return this.#isRepeated;
  }

  endLine(): boolean {
    const head = this.#head.trim();
    const fence = FENCE.exec(head)?.[1] ?? null;
    if (this.#fence !== null) {
      if (fence !== null && fence === head && fence.startsWith(this.#fence)) this.#fence = null;
    } else if (this.#line === 'undecided') {
      this.#endUndecided(head, fence);
    } else if (this.#line === 'text') {
      this.#take('\n');
    }
    this.#line = 'undecided';
    this.#head = '';
    return this.#isRepeated;
  }

  #go(part: string): void {
    if (this.#fence !== null) {
      this.#head = (this.#head + part).slice(0, MAX_DIVIDER_CHARS);
      return;
    }
    if (this.#line === 'text') this.#take(part);
    if (this.#line !== 'undecided') return;
    this.#head += part;
    this.#decide();
  }

  /** The beginning of a line decides its kind, once a letter or digit has come. */
  #decide(): void {
    const head = this.#head.trimStart();
    if (head.startsWith('|')) return this.#skip();
    if (MAYBE_NUMBERED.test(head)) return;
    if (!LETTER_OR_DIGIT.test(head) && this.#head.length <= MAX_DIVIDER_CHARS) return;
    const fence = FENCE.exec(head)?.[1];
    if (fence !== undefined) return this.#open(fence);
    if (LIST_ITEM.test(head) || HEADING_OR_QUOTE.test(head)) this.#windows.forget();
    this.#line = 'text';
    this.#take(this.#head);
  }

  #endUndecided(head: string, fence: string | null): void {
    const isDivider = head.length >= MIN_DIVIDER_CHARS && !LETTER_OR_DIGIT.test(head);
    const divides = isDivider && !this.#isBelowDivider;
    if (head !== '') this.#isBelowDivider = isDivider;
    if (fence !== null) this.#open(fence);
    else if (divides || LIST_ITEM.test(head) || HEADING_OR_QUOTE.test(head)) this.#windows.forget();
    else this.#take(`${this.#head}\n`);
  }

  #open(fence: string): void {
    this.#windows.forget();
    this.#fence = fence;
    this.#line = 'skipped';
  }

  #skip(): void {
    this.#windows.forget();
    this.#line = 'skipped';
  }

  #take(text: string): void {
    if (LETTER_OR_DIGIT.test(text)) this.#isBelowDivider = false;
    this.#isRepeated ||= this.#windows.add(text);
  }
}
