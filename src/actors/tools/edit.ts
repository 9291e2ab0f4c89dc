import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { editIdentity } from './edit-identity.ts';
import { path, replacement } from './argument-fields.ts';
import { isReplaced, replace } from './replacement.ts';
import { isRewritten, rewrite } from './rewrite.ts';

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
