import { z } from 'zod';
import { confine } from './confine.ts';
import { defineTool } from './define-tool.ts';
import { path, text } from './argument-fields.ts';
import { inTurn } from './in-turn.ts';
import { ToolRefusal } from './tool-refusal.ts';
import { isRewritten } from './rewrite.ts';
import { isStale, see } from './seen-files.ts';
import { replaceText } from './text-file.ts';

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
