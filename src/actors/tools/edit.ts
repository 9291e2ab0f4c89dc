import { z } from 'zod';
import { defineTool, path, replacement } from './tool.ts';
import { isReplaced, replace } from './replacement.ts';
import { isRewritten, rewrite } from './write.ts';
import type { Identity } from '../../detectors/traits.ts';

const Edit = z.looseObject({ path: z.string(), oldText: z.string(), newText: z.string() });
const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

/**
 * Edits that only move white space in the same text of a file are the same edit, however much they move it: a model
 * that has no other idea sets a line in and out.
 */
export const editIdentity: Exclude<Identity, 'exempt' | readonly string[]> = (given) => {
  const { success, data } = Edit.safeParse(given);
  if (!success) return given;
  const text = withoutSpace(data.oldText);
  return text === '' || text !== withoutSpace(data.newText) ? given : { path: data.path, space: text };
};

export const edit = defineTool({
  name: 'edit',
  traits: { writes: true, identity: editIdentity },
  description:
    'Replaces one exact piece of text in a file of the workspace. oldText must occur exactly once, white space ' +
    'included: give enough of the text around the place. With replaceAll every occurrence is replaced. A newline ' +
    'stands for the line ends that the file has there.',
  input: z.strictObject({ path, ...replacement }),
  effectClass: 'reconcilable',
  run: async ({ path, ...replacement }, context) => {
    await rewrite(path, context, (text) => replace(text, replacement));
    return edited(path, replacement.newText);
  },
  /** Sound because `replace` refuses to work on its own result: see there. */
  reconcile: async ({ path, ...replacement }, { directory }) =>
    (await isRewritten(path, { directory }, (text) => isReplaced(text, replacement)))
      ? edited(path, replacement.newText)
      : null,
});

/** Says only what the file itself shows, so that it is as true when it is said after a crash. */
const edited = (path: string, newText: string) => ({
  output: newText === '' ? `${path}: the old text is gone` : `${path}: the new text is in place`,
});
