import { head } from '../../../text/excerpt.ts';
import { type Found, RULE_SCORES } from './finding-facts.ts';

/** A line of a file, and the lines below it. */
export interface MarkedLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The next lines, as far as they were read. */
  readonly below: readonly string[];
}

/** How many lines below a comment are read: it may go on there. */
export const LINES_BELOW = 3;
/** The rest of a longer line, as bundlers write them, is not read. */
const MAX_LINE_CHARS = 1_500;
const MAX_TITLE_CHARS = 120;

/** The mark directly behind what opens a comment. In a sentence about such comments it does not count. */
const OPENING = String.raw`(?<!/)//+|/\*+|<!--|\{/\*|(?<!#)#+|--|(?<!;);+|(?<!%)%+|^\s*\*|"{3}|'{3}`;
const TODO = new RegExp(String.raw`(?:${OPENING})\s*@?(?<kind>TODO|FIXME)\b(?:\((?<who>[^)]*)\))?[:\s-]*(?<text>.*)$`);
/** A further line of a comment. */
const GOES_ON = /^\s*(?:\/\/+|#+|--|;+|%+|\*(?!\/))\s?(?<text>.*)$/;
/** At the end of a line with the line breaks of Windows. */
const CARRIAGE_RETURN = /\r$/;
const CLOSING = /\s*(?:\*\/\}?|-->|"""|''')\s*$/;

/** The name of a test or of a specification, or an issue: what has to hold is written there. */
const NAMED = new RegExp(
  [
    String.raw`\b[\w./-]+[._](?:test|spec)s?\.\w+`,
    String.raw`\btests?/[\w./-]+`,
    String.raw`\btest_\w+`,
    String.raw`(?:^|[\s(])#\d+\b`,
    String.raw`\b[A-Z][A-Z0-9]+-\d+\b`,
    String.raw`https?://\S+`,
    String.raw`\b(?:[Ss]pec(?:ification)?|RFC|[Ii]ssue|[Tt]icket)\b`,
  ].join('|'),
);
/** Words that say what has to hold. */
const DEMANDS = /\b(?:must|should|shall|has to|have to|expect(?:s|ed)?|so that|given .* when|acceptance)\b/i;
const MIN_WORDS_OF_DEMAND = 5;

/**
 * The TODO and FIXME comments among lines of files. One that names a test, a specification or an issue, or says in five
 * words or more what must hold, can be proven: it counts as one with a specification.
 */
export function todoComments(lines: readonly MarkedLine[]): readonly Found[] {
  return lines.flatMap((one) => todoIn(one) ?? []);
}

function todoIn({ file, line, text: printed, below }: MarkedLine): Found | null {
  const text = lineOf(printed);
  const match = TODO.exec(text);
  if (!match || isQuoted(text.slice(0, match.index))) return null;
  const { kind = 'TODO', who, text: said = '' } = match.groups ?? {};
  const more = CLOSING.test(said) ? [] : linesOn(below);
  const whole = [said, ...more].map((part) => part.replace(CLOSING, '').trim()).join(' ');
  const words = head(whole.trim(), MAX_LINE_CHARS);
  const hasSpec = isProvable(`${who ?? ''} ${words}`);
  const title = words === '' ? `${kind} in ${file}` : `${kind}: ${head(words, MAX_TITLE_CHARS)}`;
  return {
    source: 'todos',
    title,
    summary: `${kind}${who ? ` (${who})` : ''} at ${file}:${line}${words === '' ? '' : `: ${words}`}`,
    score: hasSpec ? RULE_SCORES.todoWithSpec : RULE_SCORES.todo,
    identity: `${file}\n${kind}\n${words}`,
    file,
  };
}

const lineOf = (printed: string): string => printed.slice(0, MAX_LINE_CHARS).replace(CARRIAGE_RETURN, '');

const isProvable = (text: string): boolean =>
  NAMED.test(text) || (DEMANDS.test(text) && text.trim().split(/\s+/).length >= MIN_WORDS_OF_DEMAND);

function linesOn(below: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const printed of below) {
    const line = lineOf(printed);
    const { text } = GOES_ON.exec(line)?.groups ?? {};
    if (text === undefined || text.trim() === '' || TODO.test(line)) break;
    texts.push(text);
    if (CLOSING.test(text)) break;
  }
  return texts;
}

/** An odd number of one quotation mark before it: the mark stands in a string. */
const isQuoted = (before: string): boolean =>
  ['"', "'", '`'].some((mark) => (before.split(mark).length - 1) % 2 === 1 && !before.trim().startsWith('*'));
