import type { InboxEntry, Log, RunRecord } from '../log/log.ts';
import { runOfEffect } from '../log/names.ts';
import type { Casting } from './casting.ts';
import { addressees, type Command, commandOf, HAS_ENDED, type Member, mostTelling, type NotTaken, refusalWords } from './command.ts';
import { commit } from './commit.ts';
import { assertIntact } from './intact.ts';
import { load } from './load.ts';
import { definitionOf, type LoopDefinition } from './loop-definition.ts';
import { react, type Redact } from './react.ts';
import { notFoldedSentence, unfoldable } from './unfoldable.ts';

/** A tree of runs under our lease, and nobody at work in it. */
export interface Unserved {
  readonly log: Log;
  readonly casting: Casting;
  readonly redact: Redact;
  readonly root: string;
  readonly epoch: number;
  readonly now: () => number;
  readonly loops: readonly LoopDefinition[];
}

/**
 * Settles what waits in the inbox of a tree that nobody serves: each command is recorded with the decisions that follow, and
 * nothing is started. Stops at an abort and returns it: only a run that is taken up can end.
 */
export async function settleUnserved(tree: Unserved): Promise<InboxEntry | null> {
  for (const entry of await tree.log.inbox(tree.root)) {
    const command = commandOf(entry, tree.loops);
    if (typeof command === 'string') {
      await tree.log.reject(entry.id, command);
      continue;
    }
    const open = await openRuns(tree);
    if (!open.some(({ id }) => id === entry.run) || !open.some(({ id }) => id === tree.root)) {
      await tree.log.reject(entry.id, HAS_ENDED);
      continue;
    }
    await assertIntact(tree.log, tree.root);
    const broken = await unfoldable(tree.log, tree.root, tree.loops);
    if (broken) {
      await tree.log.reject(entry.id, notFoldedSentence(broken, tree.root));
      continue;
    }
    if (command.type === 'abort.requested') return entry;
    const refused = await record(tree, open, command, entry);
    // The lease has passed on: its new holder settles what waits.
    if (refused?.because === 'left') return null;
    if (refused) await tree.log.reject(entry.id, refusalWords(command, refused));
  }
  return null;
}

/** Recorded by the first who takes it. Null: it was. */
async function record(tree: Unserved, open: readonly Member[], command: Command, entry: InboxEntry): Promise<NotTaken | null> {
  const refused: NotTaken[] = [];
  for (const { id } of addressees(command, entry.run, open)) {
    const notTaken = await append(tree, id, command, entry.id);
    if (notTaken === null || notTaken.because === 'left') return notTaken;
    refused.push(notTaken);
  }
  const told = mostTelling(command, refused);
  if (!told) throw new Error(`nothing in the tree of ${tree.root} takes a command for run ${entry.run}`);
  return told;
}

async function append({ log, casting, redact, epoch, now, loops }: Unserved, run: string, event: Command, entry: number): Promise<NotTaken | null> {
  await assertIntact(log, run);
  const loaded = await load(log, run, casting, loops);
  if (loaded.kind !== 'loaded') throw new Error(`run ${run} cannot be folded: ${loaded.kind}`);
  const { settings, cast, state } = loaded;
  const loop = definitionOf(state.entry.id, loops);
  if (event.type === 'run.paused') return { because: state.paused ? 'paused' : 'standing', loop };
  const at = new Date(now()).toISOString();
  const batch = react({ run, settings, loop, cast, redact }, state, { event, causation: null }, at);
  if (typeof batch === 'string') return { because: batch, loop };
  const committed = await commit({ log, run, epoch, expectedVersion: state.version, batch, entry });
  return committed.kind === 'committed' ? null : { because: 'left', loop };
}

async function openRuns({ log, root }: Unserved): Promise<readonly Member[]> {
  const records = await log.runs();
  return records.filter((record) => record.root === root && record.closed === null).map(memberOf);
}

const memberOf = ({ run, parentEffect }: RunRecord): Member => ({
  id: run,
  parent: parentEffect === null ? null : runOfEffect(parentEffect),
});
