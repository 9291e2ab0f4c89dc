import type { RunRecord } from '../log/event-store.ts';
import type { Log } from '../log/log.ts';
import { lifeOf, type RunState } from '../kernel/fold.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { rebuild } from '../runtime/load-run.ts';
import { notFoldedSentence } from '../runtime/unfoldable.ts';
import type { Question } from './questions.ts';
import { readOpen } from './read-questions.ts';

/**
 * Something that a person has to do. `run` is the root of a tree, `since` a time (RFC 3339). `remedy`: a person has to
 * mend something outside of the program. `unreadable`: a run that may wait too, and why that cannot be said here, such
 * as a loop that is missing.
 */
export type InboxItem =
  | { readonly kind: 'question'; readonly run: string; readonly since: string; readonly question: Question }
  | { readonly kind: 'remedy'; readonly run: string; readonly since: string; readonly text: string }
  | { readonly kind: 'unreadable'; readonly run: string; readonly since: string; readonly reason: string };

/**
 * What the runs of a log wait for people to do, the longest wait first. Only open runs are looked at, and only those
 * whose state has an open question, or is paused at the top of its tree, are read whole: a state is folded from its
 * newest snapshot.
 */
export async function readInbox(log: Log, loops: readonly LoopDefinition[]): Promise<readonly InboxItem[]> {
  const open = (await log.runs()).filter(({ closed }) => closed === null);
  const items: InboxItem[] = [];
  for (const [root, tree] of Map.groupBy(open, (record) => record.root)) {
    const record = tree.find(({ run }) => run === root);
    // The rest of a tree that has ended waits for nothing.
    if (record) items.push(...(await itemsOf(log, record, tree, loops)));
  }
  return items.toSorted((one, other) => one.since.localeCompare(other.since));
}

/** A run at the top may have been paused because people have to mend something first. */
const mayWait = ({ run, root }: RunRecord, state: RunState): boolean =>
  Object.values(lifeOf(state).pending).includes('asked') || (run === root && state.paused);

async function itemsOf(
  log: Log,
  { run, updatedAt }: RunRecord,
  tree: readonly RunRecord[],
  loops: readonly LoopDefinition[],
): Promise<readonly InboxItem[]> {
  const unreadable = (reason: string): InboxItem => ({ kind: 'unreadable', run, since: updatedAt, reason });
  try {
    const asking: RunRecord[] = [];
    for (const record of tree) {
      const folded = await rebuild(log, record.run, undefined, loops);
      if (folded.kind === 'unknown_machine' || folded.kind === 'unreadable')
        return [unreadable(notFoldedSentence(folded, record.run))];
      if (folded.kind === 'loaded' && mayWait(record, folded.state)) asking.push(record);
    }
    const { questions, remedies } = await readOpen(log, asking, loops);
    return [
      ...remedies.map((one): InboxItem => ({ kind: 'remedy', run, ...one })),
      ...questions.map((question): InboxItem => ({ kind: 'question', run, since: question.askedAt, question })),
    ];
  } catch (error) {
    // One damaged run, or one whose loop has a bug, does not hide what the others wait for.
    return [unreadable(error instanceof Error ? error.message : String(error))];
  }
}
