import type { RecordedSurroundings } from '../../machines/recorded-proof.ts';
import { startedBy } from './command-words.ts';

type Digests = NonNullable<RecordedSurroundings['dependencies']>;

/** Folders of dependencies that are not as they were. Null: that is not known of any of them that may have changed. */
export function changedFolders(before: Digests | null, now: Digests | null): readonly string[] | null {
  if (before === null || now === null) return null;
  const found = new Map(now.map((folder) => [folder.path, folder]));
  const known = new Set(before.map(({ path }) => path));
  const changed = [
    ...before.filter(({ path, lasting }) => found.get(path)?.lasting !== lasting),
    ...now.filter(({ path }) => !known.has(path)),
  ];
  if (changed.length > 0) return changed.map(({ path }) => path);
  // Worktrees that share the files change the same time as a write that has put the others back.
  return before.every(({ path, digest }) => found.get(path)?.digest === digest) ? [] : null;
}

/** Programs that are found elsewhere, or have changed. */
export function changedTools(
  before: RecordedSurroundings['tools'],
  now: RecordedSurroundings['tools'],
): readonly string[] {
  const found = new Map(now.map((tool) => [tool.name, tool]));
  return before.flatMap(({ name, path, identity }) => {
    const is = found.get(name);
    return is?.path === path && is.identity === identity ? [] : [name];
  });
}

/** The programs that commands start, and what they are started with, such as `npx`. */
export const programsOf = (commands: readonly string[]): readonly string[] => [
  ...new Set(
    commands.flatMap((command) => [
      /^\s*([\w.+-]+)(?=\s|$)/.exec(command)?.[1] ?? '',
      ...startedBy(command, '').map(({ words }) => words[0] ?? ''),
    ]),
  ),
];

/**
 * Whether a file lies in a folder of one of these names, or paths from the top.
 *
 * @example
 * inFolders(['vendor', 'lib/deps'])('a/vendor/b.go'); // true
 */
export function inFolders(names: readonly string[]): (path: string) => boolean {
  const folders = names.map((name) => name.replace(/\/+$/, '')).filter((name) => name !== '');
  return (path) =>
    folders.some((folder) => path.startsWith(`${folder}/`) || (!folder.includes('/') && path.includes(`/${folder}/`)));
}
