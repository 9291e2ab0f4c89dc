import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { path, replacement } from './argument-fields.ts';
import { areReplaced, replaceInOrder } from './replacements.ts';
import { isRewritten, rewrite } from './rewrite.ts';

const MAX_EDITS = 100;

export const multiEdit = defineTool({
  name: 'multi_edit',
  traits: { writes: true },
  description:
    'Replaces several exact pieces of text in one file of the workspace, in the order given, all of them or none. ' +
    'Each is made as edit makes it. None may change what one before it has put there: say at once what shall be there.',
  input: z.strictObject({ path, edits: z.array(z.strictObject(replacement)).min(1).max(MAX_EDITS) }),
  effectClass: 'reconcilable',
  run: async ({ path, edits }, context) => {
    await rewrite(path, context, (text) => replaceInOrder(text, edits));
    return edited(path, edits.length);
  },
  /** Sound because `replaceInOrder` refuses to work on its own result: see there. */
  reconcile: async ({ path, edits }, { directory }) =>
    (await isRewritten(path, { directory }, (text) => areReplaced(text, edits))) ? edited(path, edits.length) : null,
});

const edited = (path: string, count: number) => ({
  output: count === 1 ? `${path}: the edit is in place` : `${path}: all ${count} edits are in place`,
});
