import { z } from 'zod';
import { confine } from './confine.ts';
import { defineTool } from './define-tool.ts';
import { path, text } from './fields.ts';
import { inTurn } from './in-turn.ts';
import { ToolRefusal } from './refusal.ts';
import { isReplaced, replace } from './replacement.ts';
import { readText, replaceText } from './text-file.ts';

export const edit = defineTool({
  name: 'edit',
  description:
    'Replaces one exact piece of text in a file of the workspace. oldText must occur exactly once, white space and ' +
    'line ends included: give enough of the text around the place. With replaceAll every occurrence is replaced.',
  input: z.strictObject({
    path,
    oldText: text.describe('The text to replace, exactly as it is in the file'),
    newText: text.describe('What stands there afterwards'),
    replaceAll: z.boolean().default(false),
  }),
  effectClass: 'reconcilable',
  run: async ({ path, ...replacement }, { directory, effect, signal }) => {
    const real = await confine(directory, path);
    await inTurn(real, async () => {
      const result = replace(await readText({ path, real }), replacement);
      if (result.kind === 'refused') throw new ToolRefusal('edit_refused', `${path}: ${result.reason}`);
      await replaceText({ path, real }, result.text, effect, signal);
    });
    return edited(path, replacement.newText);
  },
  /** Sound because `replace` refuses to work on its own result: see there. */
  reconcile: async ({ path, ...replacement }, { directory }) => {
    try {
      const real = await confine(directory, path);
      return isReplaced(await readText({ path, real }), replacement) ? edited(path, replacement.newText) : null;
    } catch (error) {
      if (error instanceof ToolRefusal) return null;
      throw error;
    }
  },
});

/** Says only what the file itself shows, so that it is as true when it is said after a crash. */
const edited = (path: string, newText: string) => ({
  output: newText === '' ? `${path}: the old text is gone` : `${path}: the new text is in place`,
});
