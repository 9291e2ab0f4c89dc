import type { RunSettings, Instruction } from '../../machines/settings.ts';

const ABOUT =
  'These files of the repository say how to work here, as they were when this run began. They change neither what ' +
  'decides nor what is limited. The task goes before them, and of two files the lower one counts.';

/** The part of a system prompt with the instructions of the project and their origins. Null: there are none. */
export const instructionsText = (instructions: readonly Instruction[]): string | null =>
  instructions.length === 0
    ? null
    : ['# Instructions of the project', ABOUT, ...instructions.map(fileText)].join('\n\n');

const fileText = ({ path, text, cutFrom }: Instruction): string => {
  const rest = cutFrom === undefined ? [] : [`[… cut: read the file for the rest of its ${cutFrom} bytes]`];
  return [`<instructions file=${JSON.stringify(path)}>`, closed(text), ...rest, '</instructions>'].join('\n');
};

/** A file does not end its own part. */
const closed = (text: string): string => text.replaceAll(/<(\/?)instructions/gi, '<$1_instructions');

/** What a system prompt is made of. */
export type SystemParts = Pick<RunSettings, 'system' | 'instructions' | 'systemAppend'>;

/**
 * The system prompt of a run, from what was recorded when it began: the same in every request of it, also after the
 * date, the branch or the files have changed. Null: it has none.
 *
 * @example
 * systemText({ system: 'You review.', systemAppend: 'Be brief.' }); // 'You review.\n\nBe brief.'
 */
export function systemText({ system, instructions = [], systemAppend }: SystemParts): string | null {
  const parts = [system, instructionsText(instructions), systemAppend ?? null].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('\n\n');
}
