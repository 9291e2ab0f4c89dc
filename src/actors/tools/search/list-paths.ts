import { MAX_LIST_ENTRIES } from '../limits.ts';
import { begin } from './begin.ts';
import { PathList } from './path-list.ts';
import type { ListRequest } from './request.ts';

const MARKS = { file: '', folder: '/', link: '@', special: '' } as const;

/** What is in a folder, by name and kind. */
export async function listPaths(request: ListRequest): Promise<string> {
  await using begun = await begin(request, request.depth);
  const found = new PathList(MAX_LIST_ENTRIES);
  for (const { path, kind } of begun.walk.through(begun.folder)) found.add(`${request.prefix}${path}${MARKS[kind]}`);
  return found.said(`${request.place.path} is empty`, begun.walk.notes);
}
