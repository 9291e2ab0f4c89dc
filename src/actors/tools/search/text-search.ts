import { ToolRefusal } from '../confine.ts';

export interface TextPattern {
  readonly pattern: string;
  /** The pattern means itself, and is no regular expression. */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

export function lineMatcher({ pattern, literal, ignoreCase }: TextPattern): RegExp {
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : pattern;
  try {
    return new RegExp(source, ignoreCase ? 'i' : '');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ToolRefusal('pattern_invalid', `${said}; to look for the text as it is, set literal`);
  }
}

/** A line that is too long to be shown is shown around its match. */
const MAX_LINE_CHARACTERS = 400;
const BEFORE_MATCH_CHARACTERS = 100;

interface Shown {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/**
 * The lines of a text that match, each with so many lines of `context` around it, in order, none twice. One at a time:
 * where the memory of a thread is used up faster than it is watched, the whole process ends.
 */
export function* matchingLines(text: string, matcher: RegExp, context: number): Generator<Shown> {
  let before: Shown[] = [];
  let contextUntil = 0;
  let line = 0;
  for (const whole of linesOf(text)) {
    line += 1;
    const at = matcher.exec(whole)?.index;
    const shown = { line, text: excerpt(whole, at ?? 0), isMatch: at !== undefined };
    if (shown.isMatch) contextUntil = line + context;
    if (line <= contextUntil) {
      yield* before;
      yield shown;
      before = [];
    } else if (context > 0) before = [...before, shown].slice(-context);
  }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    const hasReturn = end !== -1 && text[next - 1] === '\r';
    yield text.slice(start, hasReturn ? next - 1 : next);
    start = next + 1;
  }
}

function excerpt(line: string, at: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const start = Math.max(0, Math.min(at - BEFORE_MATCH_CHARACTERS, line.length - MAX_LINE_CHARACTERS));
  const end = start + MAX_LINE_CHARACTERS;
  const piece = line.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${piece}${end < line.length ? '…' : ''}`;
}
