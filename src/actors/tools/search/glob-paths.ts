import { MAX_LIST_ENTRIES } from '../limits.ts';
import { begin } from './begin.ts';
import { namePattern } from './name-pattern.ts';
import { PathList } from './path-list.ts';
import type { GlobRequest } from './request.ts';

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
