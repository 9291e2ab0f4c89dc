import { z } from 'zod';
import { confine } from './confine.ts';
import { defineTool, folder, includeIgnored, text, MAX_PATTERN_CHARACTERS, SEARCH_MS } from './tool.ts';
import { prefixOf } from './search/prefix.ts';
import { search } from './search/search-thread.ts';

export const glob = defineTool({
  name: 'glob',
  traits: { reads: true, foundNothing: (output) => output.startsWith('[no file fits]') },
  description:
    'Finds files of the workspace by name, in order of their paths. pattern is a glob relative to path, such as ' +
    '"src/**/*.{ts,tsx}"; without a slash it is held against names at every level. What .gitignore excludes is left ' +
    'out.',
  input: z.strictObject({
    pattern: text.min(1).max(MAX_PATTERN_CHARACTERS),
    path: folder,
    includeIgnored,
  }),
  effectClass: 'repeatable',
  run: async ({ pattern, path, includeIgnored }, { directory, readable, signal }) => {
    const place = await confine({ directory, readable }, path);
    const request = { kind: 'glob', place, prefix: prefixOf(directory, place), pattern, includeIgnored } as const;
    return { output: await search({ ...request, limitMs: SEARCH_MS }, signal) };
  },
});
