import { z } from 'zod';
import { confine } from './confine.ts';
import { defineTool, folder, includeIgnored, text, MAX_PATTERN_CHARACTERS, SEARCH_MS } from './tool.ts';
import { prefixOf } from './search/prefix.ts';
import { search } from './search/search-thread.ts';

const MAX_CONTEXT_LINES = 20;

export const grep = defineTool({
  name: 'grep',
  traits: { reads: true, foundNothing: (output) => output.startsWith('[no line matches]') },
  description:
    'Searches the text files of the workspace line by line with a JavaScript regular expression, and answers with ' +
    'path:line:text. Binary files, files of more than 5 MB and what .gitignore excludes are left out.',
  input: z.strictObject({
    pattern: text.min(1).max(MAX_PATTERN_CHARACTERS),
    path: folder.describe('File or directory, relative to the workspace'),
    glob: text.min(1).max(MAX_PATTERN_CHARACTERS).optional().describe('Only files that fit, as in the tool glob'),
    literal: z.boolean().default(false).describe('The pattern is plain text'),
    ignoreCase: z.boolean().default(false),
    context: z.int().min(0).max(MAX_CONTEXT_LINES).default(0).describe('Lines to show before and after each match'),
    show: z.enum(['content', 'files', 'counts']).default('content').describe('Lines, or only paths, or lines per path'),
    includeIgnored,
  }),
  effectClass: 'repeatable',
  run: async ({ path, pattern, literal, ignoreCase, glob = null, ...how }, { directory, readable, signal }) => {
    const place = await confine({ directory, readable }, path);
    const what = { pattern: { pattern, literal, ignoreCase }, glob, ...how };
    const request = { kind: 'grep', place, prefix: prefixOf(directory, place), ...what, limitMs: SEARCH_MS } as const;
    return { output: await search(request, signal) };
  },
});
