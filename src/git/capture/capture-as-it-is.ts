import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { type KeptIndex, keepIndex, removeIndex } from './index-copy.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { addNested, linksOf, repositoriesOf, reusedLinks } from './inner-repositories.ts';
import { beginAtOwn } from './begin-index.ts';
import type { ContentCall } from './raw-repository.ts';
import { addWorktree, type Recorded, recordIndex } from './record-worktree.ts';
import { generalRules, type IgnoreRules, keepRules, presentRules, rulesFile } from './rules-of-start.ts';
import { type CapturePlace, runRef } from '../run-refs.ts';
import { untrackedFiles, untrackedLeftOut } from './secret-paths.ts';
import { assertStartFits } from './start-limits.ts';
import { together } from '../process/git-process.ts';
import { treeEntries } from '../tree-change.ts';

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
  /** Larger files that git does not track are left out: bytes. Absent: the usual limit. */
  readonly captureLimit: number | undefined;
}

export interface RecordedCapture extends Pick<Recorded, 'hash'> {
  /** The words of git on files it could not read; empty where it read all. */
  readonly unread: string;
  /** Null: they are not known yet. */
  readonly changes: Recorded['changes'] | null;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Records a worktree with what git ignores at this moment: when a run begins, those are its rules. Every file is read;
 * the index then spares that to the next capture of the run, in the same process. `key`: under which it is kept. Throws
 * a `LargeStartError` where a run would begin with too much.
 */
export async function captureAsItIs(key: string, asked: AskedCapture, of: ContentCall): Promise<RecordedCapture> {
  const { run, number, index: own, leaveOut, pathspecs } = asked;
  const folder = await makeTemporaryFolder('index');
  const call = { ...of, index: join(folder, 'index') };
  let kept: KeptIndex = emptyIndex(folder, call.index);
  let isKept = false;
  try {
    const begun = await beginAtOwn(own, pathspecs, call);
    const [present, sorted] = await together([
      presentRules(number === 0 ? null : [], call),
      untrackedFiles(call, { pathspecs, mostBytes: asked.captureLimit }),
    ]);
    const { taken: others, secret, large } = sorted;
    if (number === 0) await assertStartFits(others, call);
    // It is missing where git has not kept what a run began with.
    const start = number === 0 ? null : await treeEntries(runRef(run, 0), call).catch(() => null);
    const reused = start && call.repository ? reusedLinks(linksOf(start), call.directory) : [];
    const nested = await addNested(repositoriesOf(others), start, call);
    const destination = { ref: number === null ? null : runRef(run, number), before: null, isSparse: begun.isSparse };
    const excluded = [...reused, ...secret, ...large, ...nested.excluded];
    await writeFile(kept.rules, generalRules(present), 'latin1');
    const unread = await addWorktree({ links: begun.links, pathspecs, excluded }, kept.rules, call);
    const { hash } = await recordIndex(destination, call);
    if (number === 0) {
      await keepRules(run, present, call);
      kept = { ...kept, ...begun, last: { number, tree: hash } };
      isKept = unread === '' && repositoriesOf(others).length === 0;
      if (isKept) await keepFor(key, kept, present, leaveOut);
    }
    return { hash, unread, changes: null, leftOut: [...untrackedLeftOut(sorted), ...nested.leftOut] };
  } finally {
    if (!isKept) await removeIndex(kept);
  }
}

const emptyIndex = (folder: string, index: string): KeptIndex => ({
  folder,
  index,
  rules: join(folder, 'rules'),
  seen: null,
  links: [],
  isSparse: false,
  readFrom: Date.now(),
  last: null,
});

/** The next capture goes by the rules of this one. */
async function keepFor(key: string, kept: KeptIndex, rules: IgnoreRules, leaveOut: readonly string[]): Promise<void> {
  await writeFile(kept.rules, rulesFile(rules, leaveOut), 'latin1');
  await keepIndex(key, kept);
}
