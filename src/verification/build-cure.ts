import { textOf } from '../git/object-text.ts';
import { buildIn } from '../evidence/build-script.ts';
import { checksCured, curedIn } from '../evidence/check-cures.ts';
import type { Lacked } from '../evidence/lack-text.ts';
import { isMade } from '../evidence/never-given.ts';
import { isFile } from '../evidence/tree-entry.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { type CheckedHow, ranTree, type RanTree } from './check-tree.ts';

/** A tree, and how its checks failed. */
export interface RedTree {
  readonly tree: string;
  readonly ran: RanTree;
}

/**
 * Tries the project's own build, once, where checks of the start lack what a build makes. Returns the command if they
 * pass with it and with the rest of what they lack; null where they do not, or the project names none.
 * `again`: how the checks that fail are run. `folder`: the one that they run in, from the top, with a slash at its end.
 */
export async function curedByBuild(
  lacked: Lacked,
  { tree, ran: red }: RedTree,
  legs: PreparedLegs,
  again: CheckedHow,
  folder: string,
): Promise<string | null> {
  if (!lacked.ignored.some(isMade)) return null;
  const manifest = legs.plan.base.get(`${folder}package.json`);
  const build = isFile(manifest) ? buildIn((await textOf(manifest.hash, legs.call)) ?? '') : null;
  if (build === null) return null;
  const open = { ...lacked, ignored: lacked.ignored.filter((path) => !isMade(path)) };
  const prepared = { ...legs, prepare: [...legs.prepare, build] };
  const ran = await ranTree('try-build', tree, prepared, again, open);
  const cured = new Set(ran?.prepared ? checksCured(curedIn(red, ran)) : []);
  return lacked.checks.every((name) => cured.has(name)) ? build : null;
}
