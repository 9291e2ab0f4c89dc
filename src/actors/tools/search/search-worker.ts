import { lstat } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { ToolRefusal, fileRefusal } from '../tool-refusal.ts';
import { globPaths } from './glob-paths.ts';
import { grepLines } from './grep-lines.ts';
import { listPaths } from './list-paths.ts';
import type { SearchAnswer, SearchRequest } from './request.ts';

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
