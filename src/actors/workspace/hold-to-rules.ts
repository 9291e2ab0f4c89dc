import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, type GitCall } from './git.ts';
import { inputOf, listNames, nameText } from './git-names.ts';
import { excludeFile, type IgnoreRules, presentRules } from './rules-of-start.ts';
import { entryOf, ignoredSince } from './ignored-since.ts';
import type { LeftOut } from './kept-out.ts';
import { runRef } from './run-refs.ts';
import { treeEntries } from './tree-change.ts';
import { foldersOf, signatureOf, statOf, bytesOf } from './workspace-path.ts';

export interface Holding {
  readonly run: string;
  readonly rules: IgnoreRules;
  /** A folder for this capture alone. */
  readonly folder: string;
  /** Of the whole worktree, but for the loop's own. */
  readonly pathspecs: readonly string[];
}

export interface Held {
  /** Paths that must not be added, in latin1. */
  readonly excluded: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

export const NOTHING_HELD: Held = { excluded: [], leftOut: [] };
const BEFORE = 'git ignored it when the run began';

/**
 * Prepares the index of a capture so that the rules of the run's beginning decide, where others hold now: what they
 * ignore stays out, also if git tracks it now, and what they do not ignore is in the index. What the start has stays
 * in.
 */
export async function holdToRules({ run, rules, folder, pathspecs }: Holding, call: GitCall): Promise<Held> {
  const file = join(folder, 'exclude');
  await writeFile(file, excludeFile(rules), 'latin1');
  const byRules = `--exclude-from=${file}`;
  const list = (...options: string[]) => listNames(['ls-files', '-z', ...options, '--', ...pathspecs], call);
  const [present, suspects] = await Promise.all([presentRules(rules, call), list('--cached', '--ignored', byRules)]);
  const isSame = JSON.stringify(present) === JSON.stringify(rules);
  if (isSame && suspects.length === 0) return NOTHING_HELD;
  const start = await treeEntries(runRef(run, 0), call).catch(() => new Map<string, { readonly mode: string }>());
  const tracked = suspects.filter((name) => !start.has(name));
  if (isSame && tracked.length === 0) return NOTHING_HELD;
  await feed(['update-index', '--force-remove', '-z', '--stdin'], tracked, call);

  const [visible, allowed, ignored, known] = await Promise.all([
    list('--others', '--exclude-standard'),
    list('--others', byRules),
    list('--others', '--ignored', byRules, '--directory'),
    list('--cached'),
  ]);
  const [isVisible, isAllowed, isIgnored, isKnown] = [
    new Set(visible),
    new Set(allowed),
    new Set(ignored),
    new Set(known),
  ];
  const shown = visible.filter((name) => !isAllowed.has(name) && !start.has(name));
  const excluded = [...new Set(shown.map((name) => entryOf(name, isIgnored)))];
  const hidden = allowed.filter((name) => !isVisible.has(name) && !start.has(name));
  const since = await ignoredSince(
    hidden,
    await list('--others', '--ignored', '--exclude-standard', '--directory'),
    call,
  );

  const back: string[] = [];
  for (const [name, { mode }] of start) {
    if (mode === '160000' || isKnown.has(name) || isVisible.has(name)) continue;
    if (await isOrdinaryFile(call.directory, name)) back.push(name);
  }
  const add = ['--literal-pathspecs', 'add', '--force', '--sparse', '--ignore-errors'];
  await feed([...add, '--pathspec-from-file=-', '--pathspec-file-nul'], [...back, ...since.taken], call);
  const before = [...new Set([...excluded, ...tracked])].map((path) => ({ path: nameText(path), because: BEFORE }));
  return { excluded, leftOut: [...before, ...since.left] };
}

async function feed(args: readonly string[], paths: readonly string[], call: GitCall): Promise<void> {
  if (paths.length === 0) return;
  await git(args, { ...call, input: inputOf(paths) });
}

/** A file or a link, and no part of a repository within. */
async function isOrdinaryFile(root: string, name: string): Promise<boolean> {
  if ((await signatureOf(root, name)) === null) return false;
  for (const folder of foldersOf(name)) if (await statOf(bytesOf(root, `${folder}/.git`))) return false;
  return true;
}
