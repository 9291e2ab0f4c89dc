import { posix } from 'node:path';
import { isAddedTest } from '../../../evidence/new-tests.ts';
import { OWN_FOLDER } from '../../../log/own-folder.ts';

/** Where a written test is to lie, from the top of the repository, or why it cannot lie there. */
export type AcceptancePath = { readonly path: string } | { readonly refused: string };

interface Around {
  /** The folder of the workspace, from the top. Empty: it is the top. */
  readonly folder: string;
  /** Tells whether the head has a file or a link at a path. */
  readonly isThere: (path: string) => boolean;
}

const MAX_PATH_CHARS = 240;
const RESERVED = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/i;

/**
 * Looks at the path of a written test: a new file within the workspace that test runners take for tests by its name.
 *
 * @example
 * acceptancePath('../other.test.js', { folder: '', isThere: () => false }); // {refused: '../other.test.js lies …'}
 */
export function acceptancePath(written: string, { folder, isThere }: Around): AcceptancePath {
  const inside = posix.normalize(written.replaceAll('\\', '/'));
  const path = posix.join(folder, inside);
  const isOutside = inside.startsWith('../') || posix.isAbsolute(inside) || /^[A-Za-z]:/.test(inside);
  if (isOutside || path.length > MAX_PATH_CHARS || /\p{Cc}/u.test(path))
    return { refused: `its test ${shown(written)} lies outside of the workspace` };
  if (RESERVED.test(path) || path.split('/').includes(OWN_FOLDER))
    return { refused: `its test ${path} lies in a folder that is not the project's` };
  const above = parentsOf(path).find(isThere);
  if (above !== undefined) return { refused: `its test ${path} would take the place of ${above}, which is a file` };
  if (isThere(path)) return { refused: `its test ${path} is there already: an acceptance test is a new file` };
  return isAddedTest({ path, how: 'absent' })
    ? { path }
    : { refused: `its test ${path} is no file of tests by its name or folder` };
}

const parentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));

const shown = (path: string): string => JSON.stringify(path.slice(0, MAX_PATH_CHARS)).slice(1, -1);
