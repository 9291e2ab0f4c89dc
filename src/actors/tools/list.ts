import { z } from 'zod';
import { confine } from './confine.ts';
import { defineTool, folder, includeIgnored, SEARCH_MS } from './tool.ts';
import { search } from './search/search-thread.ts';

const MAX_DEPTH = 10;

export const list = defineTool({
  name: 'list',
  description:
    'Lists a directory of the workspace, one path a line, in order. Directories end with a slash, symbolic links ' +
    'with an at sign. depth says how many levels to go down: with more than one, what .gitignore excludes is left out.',
  input: z.strictObject({ path: folder, depth: z.int().min(1).max(MAX_DEPTH).default(1), includeIgnored }),
  effectClass: 'repeatable',
  traits: { reads: true },
  run: async ({ path, depth, includeIgnored }, { directory, readable, signal }) => {
    const place = await confine({ directory, readable }, path);
    const request = { kind: 'list', place, prefix: '', depth, includeIgnored: includeIgnored || depth === 1 } as const;
    return { output: await search({ ...request, limitMs: SEARCH_MS }, signal) };
  },
});
