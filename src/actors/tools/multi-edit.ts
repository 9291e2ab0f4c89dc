import { z } from 'zod';
import { defineTool, path, replacement } from './tool.ts';
import { isRewritten, rewrite } from './write.ts';
import { type Replaced, type Replacement, isReplaced, replace } from './replacement.ts';

/**
 * The text with all replacements made in order, or why not, and which of them is at fault.
 *
 * Like one replacement, it refuses to work on its own result. It only makes a text that `areReplaced` knows, and in
 * such a text the first replacement is made, so that `replace` refuses to make it again. The price: no replacement may
 * undo or change what another has put there, because it could not be told later whether that one had ever been made.
 */
export function replaceInOrder(text: string, replacements: readonly Replacement[]): Replaced {
  let result = text;
  for (const [index, replacement] of replacements.entries()) {
    const next = replace(result, replacement);
    if (next.kind === 'refused') return { kind: 'refused', reason: `edit ${index + 1}: ${next.reason}` };
    result = next.text;
  }
  const undone = replacements.findIndex((replacement) => !isReplaced(result, replacement));
  if (undone === -1) return { kind: 'replaced', text: result };
  const why = 'a later one changes what it has put there, or puts the old text back; make them one';
  return { kind: 'refused', reason: `edit ${undone + 1}: ${why}` };
}

/** Whether a text is as these replacements leave one. Where it is, `replaceInOrder` refuses it. */
export const areReplaced = (text: string, replacements: readonly Replacement[]): boolean =>
  replacements.every((replacement) => isReplaced(text, replacement));

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
