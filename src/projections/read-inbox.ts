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

/** How much of an inbox is wanted. */
export interface InboxWanted {
  /** Looks at trees until so many items are found, those first that have stood still the longest. Default: at all. */
  readonly most?: number;
  /** The newest first, of trees and of items. Default: the longest wait first. */
  readonly newest?: boolean;
}

export interface Inbox {
  /** In the wanted order. All of each tree that was looked at, so they may be more than was wanted. */
  readonly items: readonly InboxItem[];
  /** How many open trees were not looked at. */
  readonly unlooked: number;
}

/** The loops of some runs, which may be loaded only now. */
export type LoopsOf = (runs: readonly RunRecord[]) => Promise<readonly LoopDefinition[]>;

/** Trees whose loops are asked for at once. */
const TREES_AT_ONCE = 32;

/**
 * What the runs of a log wait for people to do. Only open runs are looked at, and only those whose state has an open
 * question, or is paused at the top of its tree, are read whole: a state is folded from its newest snapshot.
 */
export async function readInbox(log: Log, loopsOf: LoopsOf, wanted: InboxWanted = {}): Promise<Inbox> {
  const { most = Infinity, newest = false } = wanted;
  const order = newest ? (one: string, other: string) => later(other, one) : later;
  const trees = openTrees(await log.runs()).toSorted((one, other) => order(one.changedAt, other.changedAt));
  const items: InboxItem[] = [];
  let looked = 0;
  while (looked < trees.length && items.length < most) {
    const batch = trees.slice(looked, looked + TREES_AT_ONCE);
    const loops = await loopsOf(batch.flatMap(({ runs }) => runs));
    for (const { root, runs } of batch) {
      const found = await itemsOf(log, root, runs, loops);
      // What was asked at the same time keeps its order, or the reverse of it.
      items.push(...(newest ? found.toReversed() : found));
    }
    looked += batch.length;
  }
  return { items: items.toSorted((one, other) => order(one.since, other.since)), unlooked: trees.length - looked };
}

/** Of two times as a log has them. Ten thousand of them take `localeCompare` 20 ms. */
function later(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** A tree whose root is open. */
interface OpenTree {
  readonly root: RunRecord;
  readonly runs: readonly RunRecord[];
  /** When any of its runs last recorded something. */
  readonly changedAt: string;
}

function openTrees(all: readonly RunRecord[]): OpenTree[] {
  const open = all.filter(({ closed }) => closed === null);
  return [...Map.groupBy(open, ({ root }) => root)].flatMap(([name, runs]) => {
    const root = runs.find(({ run }) => run === name);
    // The rest of a tree that has ended waits for nothing.
    return root ? [{ root, runs, changedAt: newestOf(runs) }] : [];
  });
}

const newestOf = (runs: readonly RunRecord[]): string =>
  runs.reduce((newest, { updatedAt }) => (updatedAt > newest ? updatedAt : newest), '');

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
