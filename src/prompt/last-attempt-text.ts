import { excerptOfLines } from '../text/excerpt.ts';

/** How much of what an attempt said, and of what it changed, the next one is told. */
const MAX_SAID_CHARACTERS = 2_000;
export const MAX_DIFF_CHARACTERS = 8_000;

export interface LastAttempt {
  /** Its last message. */
  readonly said: string;
  /** What it changed, as a patch, at most one character longer than what is told. Null: it is not known. */
  readonly diff: string | null;
}

/** What the attempt before did, for the prompt of the next one, which begins a conversation of its own. */
export function lastAttemptText({ said, diff }: LastAttempt): string {
  const words = said.trim();
  return [
    words === ''
      ? 'The attempt before said nothing at its end.'
      : `The attempt before said at its end:\n${excerptOfLines(words, MAX_SAID_CHARACTERS)}`,
    ...(diff === null ? [] : [diffText(diff)]),
  ].join('\n\n');
}

function diffText(diff: string): string {
  if (diff.trim() === '') return 'It changed no file.';
  if (diff.length <= MAX_DIFF_CHARACTERS) return `It changed:\n${fenced(diff)}`;
  const end = diff.lastIndexOf('\n', MAX_DIFF_CHARACTERS);
  const shown = diff.slice(0, end > 0 ? end : MAX_DIFF_CHARACTERS).toWellFormed();
  return `It changed more than fits here. The beginning, with the rest in the files:\n${fenced(shown)}`;
}

const fenced = (diff: string): string => `\`\`\`diff\n${diff.trimEnd()}\n\`\`\``;
