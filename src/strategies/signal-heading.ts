import { isOfPiece, NAMES_IT } from './signal-phrases.ts';
import { isOnly } from './signal-token.ts';

const MARKED = /^\s*#{1,6}\s+(.*)$/;
const BOLD = /^\s*(?:\*\*|__)([^*]+?)(?:\*\*|__)\s*[:：]?\s*$/;
const IS_BLANK = /^\s*$/;
/** Headings of what is asked for, shown or still open, rather than of how the work stands. */
const IS_OF_OTHER =
  /^[^\p{L}]*(to[ -]?do|next|plan(ned)?|examples?|remaining|pending|blocked|blockers?|open|backlog|instructions?|goals?|prompt|output|format|expected|usage|template|columns?|states|statuses|steps?|checklist|legend|options?|not|missing|limitations|failing|failed|failures|syntax|rules?|unfinished)\b|\b(criteria|requirements?|definition|format|examples?)\b/iu;
/** How a section says that its part is not finished. */
const IS_OPEN =
  /^[^\p{L}]*(to-?do|open|in progress|wip|pending|waiting|blocked|fail(s|ed|ing)|not|partial(ly)?)\b[^.!?]*$/iu;

/** How many lines around a signal may have sections that its own is compared with. */
const NEAR_LINES = 100;

/** The words of a heading: behind `#`, or a line in bold. Null for another line. */
export const headingOf = (line: string): string | null => (MARKED.exec(line) ?? BOLD.exec(line))?.[1] ?? null;

/**
 * Whether the heading directly above a line makes a signal there one of something else: of a plan, an example or a
 * part of the work, or of one section among others that have a state as well.
 */
export function isUnderOtherHeading(lines: readonly string[], at: number, signal: string): boolean {
  const near = lines.slice(Math.max(0, at - NEAR_LINES), at + NEAR_LINES);
  const above = near.slice(0, Math.min(at, NEAR_LINES)).findLastIndex((line) => !IS_BLANK.test(line));
  const heading = headingOf(near[above] ?? '');
  if (heading === null) return false;
  if (IS_OF_OTHER.test(heading) || isOfPiece(heading)) return true;
  return statesIn(near, above).some(
    (state) => IS_OPEN.test(state) || (!NAMES_IT.test(heading) && isOnly(signal, state)),
  );
}

/** The first line of each section but one. */
function statesIn(lines: readonly string[], except: number): string[] {
  const filled = lines.flatMap((line, index) => (IS_BLANK.test(line) ? [] : [{ line, index }]));
  return filled.flatMap(({ line, index }, place) =>
    index === except || headingOf(line) === null ? [] : (filled[place + 1]?.line ?? []),
  );
}
