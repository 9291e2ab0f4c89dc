import { lineType } from 'tap-parser';

const MAX_LINE_CHARS = 2_000;
/** Deeper subtests count as what their parents say of them. */
const MAX_INDENT_CHARS = 80;
/** Of the details under a failed test. Those of the others are not read at all. */
const MAX_DETAIL_CHARS = 4_000;
const MAX_DETAILS = 100;

/** One TAP stream, without the lines that are not TAP. */
export interface TapDocument {
  /** The file it comes from, where `prove` says so. */
  readonly name: string;
  readonly lines: string[];
}

/** The TAP streams in a text that begins one where TAP says so, or where the one before had its plan already. */
export function tapDocuments(text: string): TapDocument[] {
  const found: Draft[] = [];
  let draft = new Draft('');
  const begin = (name: string) => {
    if (draft.isTap) found.push(draft);
    draft = new Draft(name);
  };
  for (const line of linesOf(text)) {
    const header = line.includes(' ..') ? /^(\S.*?) \.{2,} *$/.exec(line)?.[1] : undefined;
    if (header !== undefined) begin(header);
    else if (draft.isCompleteBefore(line)) begin(draft.name);
    draft.add(line);
  }
  begin('');
  return found;
}

class Draft implements TapDocument {
  readonly name: string;
  readonly lines: string[] = [];
  #hasVersion = false;
  #points = 0;
  #plan: 'none' | 'ahead' | 'behind' = 'none';
  #details: { readonly indent: string; readonly isWanted: boolean; chars: number } | null = null;
  #wantedDetails = 0;
  #mayHaveDetails = false;
  #lastFailed = false;

  constructor(name: string) {
    this.name = name;
  }

  get isTap(): boolean {
    return this.#hasVersion || (this.#plan !== 'none' && this.#points > 0);
  }

  isCompleteBefore(line: string): boolean {
    const type = typeOf(line);
    if (type === 'version') return this.lines.length > 0;
    return (type === 'plan' && this.#plan !== 'none') || (type === 'testPoint' && this.#plan === 'behind');
  }

  add(line: string): void {
    const indent = /^ */.exec(line)?.[0] ?? '';
    if (this.#isDetail(line, indent)) return;
    const body = line.slice(indent.length);
    const type = body === '}' ? 'end' : typeOf(body);
    if (type === null || type === 'pragma' || indent.length > MAX_INDENT_CHARS) return;
    // Behind the plan of subtests the parser would read no further ones; whether all of them ran, their parent says.
    if (type === 'plan' && indent !== '') return;
    this.lines.push(line);
    if (type === 'testPoint') {
      this.#mayHaveDetails = true;
      this.#lastFailed = body.startsWith('not');
    } else if (type !== 'comment') this.#mayHaveDetails = false;
    if (indent === '') this.#note(type);
  }

  #note(type: string): void {
    if (type === 'version') this.#hasVersion = true;
    if (type === 'testPoint') this.#points += 1;
    if (type === 'plan') this.#plan = this.#points > 0 ? 'behind' : 'ahead';
  }

  #isDetail(line: string, indent: string): boolean {
    if (!this.#details) return this.#beginsDetails(line, indent);
    const { indent: inner, isWanted } = this.#details;
    const isEnd = line === `${inner}...`;
    const belongs = line.startsWith(inner) || line === '';
    this.#details.chars += line.length;
    if (belongs && isWanted && (isEnd || this.#details.chars <= MAX_DETAIL_CHARS)) this.lines.push(line);
    if (isEnd || !belongs) this.#details = null;
    return belongs;
  }

  #beginsDetails(line: string, indent: string): boolean {
    if (!this.#mayHaveDetails || indent === '' || line !== `${indent}---`) return false;
    const isWanted = this.#lastFailed && this.#wantedDetails < MAX_DETAILS;
    if (isWanted) {
      this.lines.push(line);
      this.#wantedDetails += 1;
    }
    this.#details = { indent, isWanted, chars: 0 };
    this.#mayHaveDetails = false;
    return true;
  }
}

/** How a line of TAP may begin: a cheap test that rules out most other lines. */
const BEGINNING = /^(?:ok|not ok|\d|tap|bail|#|pragma)/i;

const typeOf = (line: string): string | null => (BEGINNING.test(line) ? (lineType(`${line}\n`)?.[0] ?? null) : null);

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    yield text.slice(start, Math.min(next, start + MAX_LINE_CHARS)).replace(/\r$/, '');
    start = next + 1;
  }
}
