import { lstat } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { ToolRefusal, fileRefusal } from '../confine.ts';
import { grepLines } from './grep-lines.ts';
import type { SearchAnswer, SearchRequest, GlobRequest, ListRequest } from './request.ts';
import { MAX_LIST_ENTRIES, MAX_OUTPUT_BYTES } from '../tool.ts';
import { begin } from './begin.ts';
import { namePattern } from './name-pattern.ts';
import { BoundedText } from '../../bound-text.ts';

/** Room for the notes at the end. */
const NOTE_BYTES = 1_000;

/** Paths, one a line, the first so many of them, and how many there were. */
export class PathList {
  readonly #max: number;
  readonly #text = new BoundedText(MAX_OUTPUT_BYTES - NOTE_BYTES);
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(path: string): void {
    this.#count += 1;
    // A name may hold a line end, and would look like two.
    if (this.#count <= this.#max) this.#text.add(`${/[\n\r]/.test(path) ? JSON.stringify(path) : path}\n`);
  }

  /** With what else is to be said; `none` where it is empty. */
  said(none: string, notes: readonly string[]): string {
    const left = this.#count - this.#max;
    const more = left > 0 ? [`only the first ${this.#max}, ${left} more`] : [];
    const lines = [...(this.#count === 0 ? [none] : []), ...more, ...notes].map((note) => `[${note}]`);
    return `${this.#text}${lines.join('\n')}`.trimEnd();
  }
}

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
