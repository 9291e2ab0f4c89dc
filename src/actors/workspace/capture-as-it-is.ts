import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitCall } from './git.ts';
import { listNames } from './git-names.ts';
import { copyIndex } from './index-copy.ts';
import type { LeftOut } from './kept-out.ts';
import { addNested, linksOf, repositoriesOf, reusedLinks } from './nested-repositories.ts';
import { type ExpectedPlace, type Recorded, recordWorktree } from './record-worktree.ts';
import { keepRules, presentRules } from './rules-of-start.ts';
import { type CapturePlace, runRef } from './run-refs.ts';
import { assertStartFits } from './start-limits.ts';
import { treeEntries } from './tree-change.ts';

export interface AskedCapture {
  readonly run: string;
  readonly number: CapturePlace | null;
  /** A tree to list the changes against, in place of that of the capture before. */
  readonly base: string | null;
  /** The worktree's own index. */
  readonly index: string;
  /** More of the loop's own files, from the root. */
  readonly leaveOut: readonly string[];
  /** Of the whole worktree, but for the loop's own. */
  readonly pathspecs: readonly string[];
  readonly expected: ExpectedPlace | undefined;
}

export interface RecordedCapture extends Pick<Recorded, 'hash' | 'unread'> {
  /** Null: they are not known yet. */
  readonly changes: Recorded['changes'] | null;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Records a worktree with what git ignores at this moment: when a run begins, those are its rules. Throws a
 * `LargeStartError` where that is too much.
 */
export async function captureAsItIs(
  { run, number, index: own, leaveOut, pathspecs, expected }: AskedCapture,
  of: GitCall,
): Promise<RecordedCapture> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-index-'));
  try {
    const call = { ...of, index: join(folder, 'index') };
    await copyIndex(own, call.index, leaveOut, call);
    const present = number === 0 ? await presentRules(null, call) : null;
    const others = await listNames(['ls-files', '-z', '--others', '--exclude-standard', '--', ...pathspecs], call);
    if (number === 0) await assertStartFits(others, call);
    // It is missing where git has not kept what a run began with.
    const start = number === 0 ? null : await treeEntries(runRef(run, 0), call).catch(() => null);
    const reused = start && call.repository ? reusedLinks(linksOf(start), call.directory) : [];
    const nested = await addNested(repositoriesOf(others), start, call);
    const destination = { ref: number === null ? null : runRef(run, number), before: null };
    const excluded = [...reused, ...nested.excluded];
    const { hash, unread } = await recordWorktree({ expected, pathspecs, excluded }, destination, call);
    if (present) await keepRules(run, present, call);
    return { hash, unread, changes: null, leftOut: nested.leftOut };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
