import { ToolRefusal } from '../refusal.ts';

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

/** The lines of a text that match, each with so many lines of `context` around it, in order, none twice. */
export function matchingLines(text: string, matcher: RegExp, context: number): readonly Shown[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const matches = lines.flatMap((line, index) => {
    const at = matcher.exec(line)?.index;
    return at === undefined ? [] : [[index, at] as const];
  });
  const found = new Map(matches);
  const shown = new Set(
    matches.flatMap(([index]) => Array.from({ length: 2 * context + 1 }, (_, offset) => index - context + offset)),
  );
  return [...shown]
    .filter((index) => index >= 0 && index < lines.length)
    .map((index) => ({
      line: index + 1,
      text: excerpt(lines[index] ?? '', found.get(index) ?? 0),
      isMatch: found.has(index),
    }));
}

function excerpt(line: string, at: number): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const start = Math.max(0, Math.min(at - BEFORE_MATCH_CHARACTERS, line.length - MAX_LINE_CHARACTERS));
  const end = start + MAX_LINE_CHARACTERS;
  const piece = line.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${piece}${end < line.length ? '…' : ''}`;
}
