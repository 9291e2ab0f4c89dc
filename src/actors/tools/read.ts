import { z } from 'zod';
import { BoundedText } from '../bound-text.ts';
import { confine, ToolRefusal } from './confine.ts';
import { defineTool, path, MAX_OUTPUT_BYTES } from './tool.ts';
import { see } from './file-stamps.ts';
import { readText } from './text-file.ts';

const lineNumber = z.int().positive();
/** Room for the line that says where to read on. */
const NOTE_BYTES = 200;

export const read = defineTool({
  name: 'read',
  // Without line numbers: what edit replaces must be exact, and models copy the numbers along. grep tells them.
  description:
    'Reads a text file of the workspace, exactly as it is. A long file is cut and the end says how to read on. ' +
    'Give startLine and endLine to read a part of it.',
  input: z.strictObject({
    path,
    startLine: lineNumber.optional().describe('First line to read, counted from 1'),
    endLine: lineNumber.optional().describe('Last line to read, itself included'),
  }),
  effectClass: 'repeatable',
  traits: { reads: true },
  run: async ({ path, startLine = 1, endLine = Number.MAX_SAFE_INTEGER }, { directory, readable, effect }) => {
    const place = await confine({ directory, readable }, path);
    const { text, stamp } = await readText(place);
    see(effect, place.real, stamp);
    if (text === '') return { output: `[${path} is empty]` };
    const lines = text.split(/(?<=\n)/);
    const refuse = (why: string) => new ToolRefusal('range_refused', why);
    if (endLine < startLine) throw refuse(`endLine ${endLine} comes before startLine ${startLine}`);
    if (startLine > lines.length) throw refuse(`startLine ${startLine}: ${path} has only ${lines.length} lines`);
    return { output: excerpt(lines, startLine, Math.min(endLine, lines.length)) };
  },
});

/** As many whole lines as there is room for; a first line without room is cut in its middle. */
function excerpt(lines: readonly string[], first: number, last: number): string {
  const shown = new BoundedText(MAX_OUTPUT_BYTES - NOTE_BYTES);
  let line = first;
  for (; line <= last; line += 1) {
    const next = lines[line - 1] ?? '';
    if (line > first && shown.totalBytes + Buffer.byteLength(next) > MAX_OUTPUT_BYTES - NOTE_BYTES) break;
    shown.add(next);
  }
  if (line > last) return shown.toString();
  return `${shown}\n[lines ${first} to ${line - 1} of ${lines.length}; read on with startLine ${line}]`;
}
