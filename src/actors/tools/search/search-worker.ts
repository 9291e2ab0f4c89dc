import { lstat } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { ToolRefusal, fileRefusal } from '../confine.ts';
import { grepLines } from './grep-lines.ts';
import type { SearchAnswer, SearchRequest, GlobRequest, ListRequest } from './request.ts';
import { MAX_LIST_ENTRIES } from '../define-tool.ts';
import { begin } from './begin.ts';
import { namePattern } from './name-pattern.ts';
import { PathList } from './path-list.ts';

const MARKS = { file: '', folder: '/', link: '@', special: '' } as const;

/** What is in a folder, by name and kind. */
export async function listPaths(request: ListRequest): Promise<string> {
  await using begun = await begin(request, request.depth);
  const found = new PathList(MAX_LIST_ENTRIES);
  for (const { path, kind } of begun.walk.through(begun.folder)) found.add(`${request.prefix}${path}${MARKS[kind]}`);
  return found.said(`${request.place.path} is empty`, begun.walk.notes);
}

/** The thread that searches: patterns come from a model, and the caller can end the thread if one never terminates. */
parentPort?.on('message', async (request: SearchRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(await answer(request));
});

async function answer(request: SearchRequest): Promise<SearchAnswer> {
  try {
    return { kind: 'found', output: await search(request) };
  } catch (error) {
    const said = fileRefusal(request.place.path, error);
    if (said instanceof ToolRefusal) return { kind: 'refused', code: said.code, message: said.message };
    return { kind: 'broken', message: said instanceof Error ? said.message : String(said) };
  }
}

async function search(request: SearchRequest): Promise<string> {
  switch (request.kind) {
    case 'list':
      return await listPaths(request);
    case 'glob':
      return await globPaths(request);
    case 'grep':
      return await grepLines(request, (await lstat(request.place.real)).isFile());
  }
}

/** Files, and links that stand for some, whose paths fit a pattern. */
export async function globPaths(request: GlobRequest): Promise<string> {
  const fits = namePattern(request.pattern);
  await using begun = await begin(request);
  const found = new PathList(MAX_LIST_ENTRIES);
  for (const { path, kind } of begun.walk.through(begun.folder)) {
    if ((kind === 'file' || kind === 'link') && fits(path)) found.add(request.prefix + path);
  }
  return found.said('no file fits', begun.walk.notes);
}
