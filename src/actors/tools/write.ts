import { z } from 'zod';
import { confine, ToolRefusal, type Reach } from './confine.ts';
import { defineTool, path, text, type ToolContext } from './tool.ts';
import { inTurn } from './in-turn.ts';
import { isStale, see } from './file-stamps.ts';
import { replaceText, readText } from './text-file.ts';
import type { Replaced } from './replacement.ts';

export const write = defineTool({
  name: 'write',
  traits: { writes: true, replaces: pathIn },
  description:
    'Writes a whole text file of the workspace: creates it, with its folders, or replaces what it held. A file that ' +
    'has changed since you last read or wrote it is not replaced: read it again first.',
  input: z.strictObject({ path, content: text.describe('The whole new content of the file') }),
  effectClass: 'reconcilable',
  run: async ({ path, content }, { directory, effect, signal }) => {
    const place = await confine({ directory }, path);
    await inTurn(place.real, async () => {
      const check = (stamp: string) => {
        if (!isStale(effect, place.real, stamp)) return;
        throw new ToolRefusal('file_changed', `${path}: it has changed since you last saw it; read it again first`);
      };
      see(effect, place.real, await replaceText(place, content, { effect, signal, check }));
    });
    return written(path, content);
  },
  reconcile: async ({ path, content }, { directory }) =>
    (await isRewritten(path, { directory }, (text) => text === content)) ? written(path, content) : null,
});

/** What no schema has checked yet. */
function pathIn(given: unknown): string | null {
  const path: unknown = Reflect.get(Object(given), 'path');
  return typeof path === 'string' ? path : null;
}

const written = (path: string, content: string) => ({ output: `${path}: ${Buffer.byteLength(content)} bytes written` });

/** Gives a text file the text that `change` makes of what it holds. */
export async function rewrite(
  path: string,
  { directory, effect, signal }: ToolContext,
  change: (text: string) => Replaced,
): Promise<void> {
  const place = await confine({ directory }, path);
  await inTurn(place.real, async () => {
    const before = await readText(place);
    const result = change(before.text);
    if (result.kind === 'refused') throw new ToolRefusal('edit_refused', `${path}: ${result.reason}`);
    const check = (stamp: string) => {
      if (stamp === before.stamp) return;
      throw new ToolRefusal('file_changed', `${path}: it changed while it was edited; read it again first`);
    };
    see(effect, place.real, await replaceText(place, result.text, { effect, signal, check }));
  });
}

/** Whether a file is as `isDone` expects it. One that cannot be read is not: starting again will say why. */
export async function isRewritten(path: string, reach: Reach, isDone: (text: string) => boolean): Promise<boolean> {
  try {
    return isDone((await readText(await confine(reach, path))).text);
  } catch (error) {
    if (error instanceof ToolRefusal) return false;
    throw error;
  }
}
