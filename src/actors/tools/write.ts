import { z } from 'zod';
import { confine } from './confine.ts';
import { defineTool } from './define-tool.ts';
import { path, text } from './fields.ts';
import { inTurn } from './in-turn.ts';
import { ToolRefusal } from './refusal.ts';
import { readText, replaceText } from './text-file.ts';

export const write = defineTool({
  name: 'write',
  description: 'Writes a whole text file of the workspace: creates it, with its folders, or replaces what it held.',
  input: z.strictObject({ path, content: text.describe('Everything the file shall hold') }),
  effectClass: 'reconcilable',
  run: async ({ path, content }, { directory, effect, signal }) => {
    const real = await confine(directory, path);
    await inTurn(real, () => replaceText({ path, real }, content, effect, signal));
    return written(path, content);
  },
  reconcile: async ({ path, content }, { directory }) => {
    try {
      const real = await confine(directory, path);
      return (await readText({ path, real })) === content ? written(path, content) : null;
    } catch (error) {
      if (error instanceof ToolRefusal) return null;
      throw error;
    }
  },
});

const written = (path: string, content: string) => ({ output: `${path}: ${Buffer.byteLength(content)} bytes written` });
