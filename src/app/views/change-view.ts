import { z } from 'zod';
import type { NoChange, RunChange } from '../changes/run-change.ts';
import { visible } from '../../text/visible.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';

/** The change of a run, or of one round. `patch`: for people, cut at a megabyte. */
export const ChangeView = z.object({
  run: z.string(),
  from: z.string(),
  to: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      status: z.enum(['added', 'removed', 'changed', 'mode', 'type']),
      binary: z.boolean(),
      added: z.int().nonnegative().nullable(),
      removed: z.int().nonnegative().nullable(),
    }),
  ),
  /** Files that later runs go by: their configuration, and the pages of their agents. */
  deciding: z.array(z.string()),
  /** Paths that are not captured, and why. */
  leftOut: z.array(z.string()),
  patch: z.string(),
  isCut: z.boolean(),
});
export type ChangeView = z.infer<typeof ChangeView>;

const MAX_PATCH_BYTES = 1_048_576;

/** A change as a page shows it. */
export async function changeView(change: RunChange, most = MAX_PATCH_BYTES): Promise<ChangeView> {
  const { run, from, to, files, deciding, leftOut } = change;
  const { text, isCut } = await patchWithin(change.patch(true), most);
  return {
    run,
    from: shownText(from.name, MAX_LINE_CHARS),
    to: shownText(to.name, MAX_LINE_CHARS),
    files: files.map((file) => ({ ...file, path: shownText(file.path, MAX_LINE_CHARS) })),
    deciding: deciding.map(({ path }) => shownText(path, MAX_LINE_CHARS)),
    leftOut: leftOut.map(({ path, because }) => shownText(`${path} (${because})`, MAX_LINE_CHARS)),
    patch: visible(text),
    isCut,
  };
}

/** Reads a patch until there is enough of it: git is told to stop then. */
async function patchWithin(patch: AsyncIterable<Uint8Array>, most: number) {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of patch) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > most) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(pieces).subarray(0, most));
  return { text, isCut: bytes > most };
}

/** Why no change is known, in a sentence. */
export function noChangeText(change: NoChange): string {
  switch (change.kind) {
    case 'unknown_run':
      return `the log has no run ${change.run}`;
    case 'is_child':
      return `run ${change.run} is part of run ${change.root}, which has the change`;
    case 'no_capture':
      return change.message;
  }
}
