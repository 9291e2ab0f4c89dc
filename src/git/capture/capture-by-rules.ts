import { GitError } from '../process/git.ts';
import { beginIndex } from './begin-index.ts';
import { distrustYoung, keepIndex, type KeptIndex, removeIndex, takeIndex } from './index-copy.ts';
import type { AskedCapture, RecordedCapture } from './capture-as-it-is.ts';
import { leftOutByRules } from './omissions.ts';
import { isUnder } from './log-names.ts';
import { reusedLinks } from './inner-repositories.ts';
import { addNewFiles } from './new-files.ts';
import type { ContentCall } from './raw-repository.ts';
import { recordIndex, updateIndex } from './record-worktree.ts';
import { runRef } from '../run-refs.ts';
import { untrackedLeftOut, withoutSecrets } from './secret-paths.ts';

/**
 * Records a worktree as the rules of the run's beginning have it, whatever git ignores now: with the index of the
 * capture before, which takes one shell where nothing has changed, else from the start of the run. The end always goes
 * from there, and reads every file, whatever times files have. `key`: under which the index is kept. Null where git
 * does not keep how the run began.
 */
export async function captureByRules(
  key: string,
  asked: AskedCapture,
  call: ContentCall,
): Promise<RecordedCapture | null> {
  const again = await takeIndex(key);
  if (again && asked.number === 'end') await removeIndex(again);
  else if (again) {
    const found = await recorded(key, again, asked, call).catch(orNull);
    if (found) return found;
  }
  const anew = await beginIndex(asked, call);
  return anew && recorded(key, anew, asked, call);
}

/** Whatever it is, a capture that begins anew meets it, too. */
function orNull(error: unknown): null {
  if (error instanceof GitError) return null;
  throw error;
}

/** Null, and the index is gone, where it does not do. */
async function recorded(
  key: string,
  kept: KeptIndex,
  asked: AskedCapture,
  of: ContentCall,
): Promise<RecordedCapture | null> {
  const { run, number, base, leaveOut, pathspecs } = asked;
  const { links, isSparse } = kept;
  const call = { ...of, index: kept.index };
  const { last, rules, seen } = kept;
  const isBefore = last !== null && (base === null ? number === last.number + 1 : base === last.tree);
  const destination = {
    isSparse,
    ref: number === null ? null : runRef(run, number),
    before: isBefore ? last.tree : null,
  };
  const readFrom = Date.now();
  let next: KeptIndex | null = null;
  try {
    const canGoOn = kept.readFrom === null || (await distrustYoung(kept.index, kept.readFrom, of.content.format));
    if (!canGoOn) return null;
    // Those of a run's own worktree are removed with it.
    const excluded = call.repository === undefined ? [] : reusedLinks(links, call.directory);
    const updated = await updateIndex({ pathspecs, excluded, links }, { rules, seen }, destination, call);
    if (!updated) return null;
    const others = updated.others.filter((name) => !isUnder(leaveOut, name));
    const sorted = await withoutSecrets(others, call.directory, call.repository ? Infinity : asked.captureLimit);
    const more = await addNewFiles(sorted.taken, run, call);
    const { hash, changes } = updated.recorded ?? (await recordIndex(destination, call));
    const unread = [updated.unread, more.unread].filter((text) => text !== '').join('\n');
    const byRules = number === 'end' ? await leftOutByRules({ ...asked, rules }, call) : [];
    const leftOut = [...untrackedLeftOut(sorted), ...byRules, ...more.leftOut];
    // Its index would have what looked like no secret, whatever it comes to hold.
    if (number !== 'end' && unread === '' && more.isPlain && !sorted.isDoubtful) {
      next = { ...kept, seen: updated.seen, readFrom, last: number === null ? last : { number, tree: hash } };
    }
    return { hash, unread, changes: isBefore ? changes : null, leftOut };
  } finally {
    await (next ? keepIndex(key, next) : removeIndex(kept));
  }
}
