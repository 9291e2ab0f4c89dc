import { readdir } from 'node:fs/promises';
import { belongsToOpenLog } from '../../log/log-files.ts';
import type { BringPlan, Kept, Step } from './bring-plan.ts';
import { bytesOf, isOrdinary, isSpelledAlike, statOf } from '../workspace-path.ts';
import { foldersOf } from '../../evidence/workspace-paths.ts';

/**
 * The plan without the steps that the file system forbids: a tree does not know of files that git ignores or that look
 * secret, of folders that are symbolic links, or of repositories within. Nothing is followed or replaced that the plan
 * does not know.
 */
export async function withoutObstacles(root: string, plan: BringPlan): Promise<BringPlan> {
  let { steps } = plan;
  const kept: Kept[] = [...plan.kept];
  for (;;) {
    const removed = new Set(steps.filter(({ next }) => next === null).map(({ name }) => name));
    const looked = await Promise.all(steps.map(async (step) => ({ step, met: await obstacle(root, step, removed) })));
    const met = looked.flatMap(({ step: { path, name }, met }) => {
      if (met === null) return [];
      return typeof met === 'string' ? [{ path, name, because: met }] : [{ path, name, ...met }];
    });
    kept.push(...met);
    steps = looked.flatMap(({ step, met }) => (met === null ? [step] : []));
    // A removal that is not done may be in the way of another step.
    if (met.length === 0) return { ...plan, steps, kept };
  }
}

type Obstacle = string | Pick<Kept, 'because' | 'within'> | null;

async function obstacle(root: string, { name, now, next }: Step, removed: ReadonlySet<string>): Promise<Obstacle> {
  if (!isOrdinary(name)) return 'it has a name that is never written';
  if (await belongsToOpenLog(bytesOf(root, name).toString())) return 'it belongs to a log of runs that is in use';
  for (const folder of foldersOf(name)) {
    // What is behind a link or a file that goes away is not at this place.
    if (removed.has(folder)) return null;
    const stats = await statOf(bytesOf(root, folder));
    if (!stats) break;
    if (stats.isSymbolicLink()) return 'one of its folders is a symbolic link';
    if (!stats.isDirectory()) return 'a file is where one of its folders was';
    if (await statOf(bytesOf(root, `${folder}/.git`)))
      return { because: 'one of its folders is a repository of its own', within: folder };
  }
  if (next === null || now !== null) return null;
  const stats = await statOf(bytesOf(root, name));
  if (!stats || (await isOtherSpelling(root, name, stats.ino, removed))) return null;
  if (!stats.isDirectory()) return 'a file that no capture has is there';
  return (await isEmptied(root, name, removed)) ? null : 'a folder with other files is there';
}

/** Where the file system ignores case: the file found there is one that goes away under another spelling. */
async function isOtherSpelling(root: string, name: string, inode: bigint, removed: ReadonlySet<string>) {
  for (const other of removed) {
    if (isSpelledAlike(other, name) && (await statOf(bytesOf(root, other)))?.ino === inode) return true;
  }
  return false;
}

async function isEmptied(root: string, folder: string, removed: ReadonlySet<string>): Promise<boolean> {
  const entries = await readdir(bytesOf(root, folder), { withFileTypes: true, encoding: 'buffer' });
  for (const entry of entries) {
    const name = `${folder}/${entry.name.toString('latin1')}`;
    if (entry.isDirectory() ? !(await isEmptied(root, name, removed)) : !removed.has(name)) return false;
  }
  return true;
}
