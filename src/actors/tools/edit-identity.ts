import { z } from 'zod';
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
