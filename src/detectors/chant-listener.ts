import { type ChantRule, RepeatedWindows } from './repeated-windows.ts';

/** Longer than this, a line of punctuation is no divider any more. */
const MAX_DIVIDER_CHARS = 300;
const MIN_DIVIDER_CHARS = 3;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const FENCE = /^(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const MAYBE_NUMBERED = /^\d{1,9}[.)]?$/;
const HEADING_OR_QUOTE = /^(?:#{1,6}(?:\s|$)|>)/;

type Line = 'undecided' | 'text' | 'passed over';

/** What is left of earlier answers. */
export interface HeardSoFar {
  readonly text: string;
  /** The fence of a code block that is still open. */
  readonly fence: string | null;
}

/**
 * Hears what a model says, in pieces of any size, and notices when it says the same over and over. What repeats by its
 * nature is no chant: code blocks and tables are passed over, and with every fence, table, list item, heading, quote and
 * divider it listens anew.
 *
 * @example
 * const listener = new ChantListener(CHANT_RULE);
 * const isChant = listener.hear('Let me look at that again. '.repeat(50));
 */
export class ChantListener {
  readonly #windows: RepeatedWindows;
  #fence: string | null;
  #line: Line = 'undecided';
  /** The line so far, until it is known what it is; in a code block all of it. */
  #head = '';
  #isChant = false;

  constructor(rule: ChantRule, { text, fence }: HeardSoFar = { text: '', fence: null }) {
    this.#windows = new RepeatedWindows(rule);
    this.#windows.hear(text);
    this.#fence = fence;
  }

  get soFar(): HeardSoFar {
    return { text: this.#windows.text, fence: this.#fence };
  }

  /** Whether the same has been said over and over. Once it has, it stays so. */
  hear(piece: string): boolean {
    let from = 0;
    while (from < piece.length && !this.#isChant) {
      const newline = piece.indexOf('\n', from);
      const end = newline === -1 ? piece.length : newline;
      this.#go(piece.slice(from, end));
      if (newline !== -1) this.endLine();
      from = end + 1;
    }
    return this.#isChant;
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
    return this.#isChant;
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

  /** A line is what its beginning says, once a letter or digit has come that ends it. */
  #decide(): void {
    const head = this.#head.trimStart();
    if (head.startsWith('|')) return this.#passOver();
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
    if (fence !== null) this.#open(fence);
    else if (isDivider || LIST_ITEM.test(head) || HEADING_OR_QUOTE.test(head)) this.#windows.forget();
    else this.#take(`${this.#head}\n`);
  }

  #open(fence: string): void {
    this.#windows.forget();
    this.#fence = fence;
    this.#line = 'passed over';
  }

  #passOver(): void {
    this.#windows.forget();
    this.#line = 'passed over';
  }

  #take(text: string): void {
    this.#isChant ||= this.#windows.hear(text);
  }
}
