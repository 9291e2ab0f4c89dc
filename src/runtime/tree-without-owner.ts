import type { Log } from '../log/log.ts';
import type { InboxEntry } from '../log/inbox-store.ts';
import type { RunRecord } from '../log/event-store.ts';
import { runOfEffect } from '../log/effect-names.ts';
import type { MakeHandlers } from './make-handlers.ts';
import {
  addressees,
  type Command,
  commandOf,
  HAS_ENDED,
  type Member,
  mostRelevant,
  type NotTaken,
  refusalText,
} from './command.ts';
import { commit } from './commit.ts';
import type { IntactTree } from './intact.ts';
import { load } from './load-run.ts';
import { definitionOf, type LoopDefinition } from '../kernel/loop-definition.ts';
import { notBefore } from './run-clock.ts';
import { react, type RedactFor } from '../kernel/react.ts';
import { notFoldedSentence, unfoldable } from './unfoldable.ts';

/** A tree of runs under the caller's lease, in which no run is live. */
export interface UnownedTree {
  readonly log: Log;
  readonly makeHandlers: MakeHandlers;
  readonly redactFor: RedactFor;
  readonly root: string;
  readonly intact: IntactTree;
  readonly epoch: number;
  readonly now: () => number;
  readonly loops: readonly LoopDefinition[];
}

/**
 * Settles the inbox of an unowned tree: each command is recorded with the decisions that follow, and nothing is
 * started. Stops at an abort and returns it: only a resumed run can end.
 */
export async function settleUnowned(tree: UnownedTree): Promise<InboxEntry | null> {
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
    await tree.intact.assert();
    const broken = await unfoldable(tree.log, tree.root, tree.loops);
    if (broken) {
      await tree.log.reject(entry.id, notFoldedSentence(broken, tree.root));
      continue;
    }
    if (command.type === 'abort.requested') return entry;
    const refused = await record(tree, open, command, entry);
    // The lease has passed on: its new holder settles what waits.
    if (refused?.because === 'left') return null;
    if (refused) await tree.log.reject(entry.id, refusalText(command, refused));
  }
  return null;
}

/** Records a command in the first run that takes it. Null: one did. */
async function record(
  tree: UnownedTree,
  open: readonly Member[],
  command: Command,
  entry: InboxEntry,
): Promise<NotTaken | null> {
  const refused: NotTaken[] = [];
  for (const { id } of addressees(command, entry.run, open)) {
    const notTaken = await append(tree, id, command, entry.id);
    if (notTaken === null || notTaken.because === 'left') return notTaken;
    refused.push(notTaken);
  }
  const reported = mostRelevant(command, refused);
  if (!reported) throw new Error(`no run in the tree of ${tree.root} takes a command for run ${entry.run}`);
  return reported;
}

async function append(
  { log, makeHandlers, redactFor, epoch, now, loops }: UnownedTree,
  run: string,
  event: Command,
  entry: number,
): Promise<NotTaken | null> {
  const loaded = await load(log, run, makeHandlers, loops);
  if (loaded.kind !== 'loaded') throw new Error(`run ${run} cannot be folded: ${loaded.kind}`);
  const { settings, handlers, state } = loaded;
  const loop = definitionOf(state.entry.id, loops);
  if (event.type === 'run.paused') return { because: state.paused ? 'paused' : 'unowned', loop };
  const at = notBefore(now(), state.at);
  const scope = { run, settings, loop, handlers, redact: redactFor(settings) };
  const batch = react(scope, state, { event, causation: null }, at);
  if (typeof batch === 'string') return { because: batch, loop };
  const committed = await commit({ log, run, epoch, expectedVersion: state.version, batch, settings, entry });
  return committed.kind === 'committed' ? null : { because: 'left', loop };
}

async function openRuns({ log, root }: UnownedTree): Promise<readonly Member[]> {
  return (await log.tree(root)).filter(({ closed }) => closed === null).map(memberOf);
}

const memberOf = ({ run, parentEffect }: RunRecord): Member => ({
  id: run,
  parent: parentEffect === null ? null : runOfEffect(parentEffect),
});
