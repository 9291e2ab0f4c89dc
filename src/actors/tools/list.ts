import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { confine, isReserved } from './confine.ts';
import { defineTool } from './define-tool.ts';
import { path } from './fields.ts';
import { MAX_LIST_ENTRIES } from './limits.ts';
import { fileRefusal } from './refusal.ts';

export const list = defineTool({
  name: 'list',
  description:
    'Lists a directory of the workspace, one path a line, in order. Directories end with a slash, symbolic links ' +
    'with an at sign. depth says how many levels to go down.',
  input: z.strictObject({
    path: path.default('.').describe('Path of the directory, relative to the workspace'),
    depth: z.int().min(1).max(10).default(1),
  }),
  effectClass: 'repeatable',
  run: async ({ path, depth }, { directory, signal }) => {
    const found: string[] = [];
    const real = await confine(directory, path);
    try {
      await walk(real, '', depth);
    } catch (error) {
      throw fileRefusal(path, error);
    }
    if (found.length === 0) return { output: `[${path} is empty]` };
    const shown = found.slice(0, MAX_LIST_ENTRIES).join('\n');
    return { output: found.length > MAX_LIST_ENTRIES ? `${shown}\n[only the first ${MAX_LIST_ENTRIES}]` : shown };

    async function walk(folder: string, prefix: string, levels: number): Promise<void> {
      signal.throwIfAborted();
      const entries = await readdir(folder, { withFileTypes: true });
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        if (isReserved(entry.name)) continue;
        if (found.length > MAX_LIST_ENTRIES) return;
        const path = prefix + entry.name + markOf(entry);
        found.push(path);
        if (entry.isDirectory() && levels > 1) await walk(join(folder, entry.name), path, levels - 1);
      }
    }
  },
});

function markOf(entry: Dirent): string {
  if (entry.isDirectory()) return '/';
  return entry.isSymbolicLink() ? '@' : '';
}
