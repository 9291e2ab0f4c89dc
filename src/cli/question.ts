import type { Question } from '../projections/questions.ts';
import { oneLine } from '../projections/wording.ts';

const MAX_TEXT_CHARS = 2_000;
const MAX_CHOICE_CHARS = 200;

/** A question as a person reads it: in one line, its choices numbered from 1 below. */
export function questionLines({ kind, text, path, choices }: Question): readonly string[] {
  const asked = oneLine(text, MAX_TEXT_CHARS);
  const place = oneLine(path ?? '', MAX_TEXT_CHARS);
  const question = kind === 'access' ? `leave to read ${place}${asked === '' ? '' : `: ${asked}`}` : asked;
  return [`? ${question}`, ...choices.map((choice, index) => `  ${index + 1}  ${oneLine(choice, MAX_CHOICE_CHARS)}`)];
}

/** What a line that was typed means: the number of a choice is that choice. */
export function chosen({ choices }: Pick<Question, 'choices'>, line: string): string {
  const typed = line.trim();
  return (/^\d+$/.test(typed) && choices[Number(typed) - 1]) || typed;
}

export const isYes = (line: string): boolean => /^y(es)?$/i.test(line.trim());
