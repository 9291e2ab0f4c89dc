import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { EffectCall, Stopped } from '../actors/actor.ts';
import type { Log } from '../log/log.ts';
import type { ChildExecution, ChildSettings } from '../kernel/effect-handlers.ts';
import { hasEnded, lifeOf } from '../kernel/fold.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { RunMessage } from '../kernel/run-message.ts';
import { assertIntact } from './intact.ts';
import { load, type LoadedRun } from './load-run.ts';
import type { LoopRun } from './loop-run.ts';
import { lastMessage, Lost, type PausedBy, type RunEnd } from './run-end.ts';
import type { MakeHandlers } from './make-handlers.ts';
import { remadeSince } from './remade-since.ts';
import { STOPPED_BY_PARENT, resumedOrStopped } from './resume-or-stop.ts';

type ChildEnd = RunEnd & { readonly run: string; readonly steering: readonly string[]; readonly isFinished: boolean };
type NotOpened = Extract<ChildSettings, { kind: 'refused' }>;

/** What child runs need of their tree. */
export interface ParentTree {
  readonly log: Log;
  readonly makeHandlers: MakeHandlers;
  readonly loops: readonly LoopDefinition[];
  readonly newRunId: () => string;
  readonly now: () => number;
  /** Who paused the tree, and why, for the runs below. */
  readonly pausedBy: () => { readonly by: PausedBy; readonly reason?: string | undefined };
  readonly begin: (run: string, settings: RunSettings, parentEffect: string) => Promise<LoopRun>;
  readonly reopen: (run: string, loaded: LoadedRun, first: RunMessage) => Promise<LoopRun>;
  /**
   * The child has left this process. Waits for what it could not stop, within the grace of its parent and until the
   * signal. Returns whether all of it is over.
   */
  readonly remove: (run: string, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Executes an effect that is a run of its own: opens it, or resumes the one that the effect opened before, waits for
 * its end, and answers with `child.settled`. Yields nothing where the child has left without an ending. Throws `Lost`
 * where it was lost: so is its parent, of which the log may not tell it.
 */
export async function* executeChild(
  tree: ParentTree,
  execution: ChildExecution,
  call: EffectCall,
): AsyncIterable<LoopEvent> {
  const end = await childEnd(tree, execution, call);
  if (end?.kind === 'refused') yield end.event;
  if (end?.kind === 'ended') yield settled(end, execution);
  if (end?.kind === 'lost') throw new Lost(`run ${end.run} below it: ${end.detail}`);
}

/** What a parent is told of the end of its child. */
export function settled(
  end: Extract<ChildEnd, { kind: 'ended' }>,
  { callId, lane }: Pick<ChildExecution, 'callId' | 'lane'>,
): EventOf<'child.settled'> {
  const { run, outcome, answer, text, spend, steering, isFinished } = end;
  const beside = text === undefined ? {} : { text };
  const said = steering.length === 0 ? {} : { steering: [...steering] };
  const asked = { ...(callId === null ? {} : { callId }), ...(lane === undefined ? {} : { lane }) };
  const left = isFinished ? {} : { unfinished: true as const };
  return {
    type: 'child.settled',
    payload: { child: run, outcome, answer, ...beside, spend, ...said, ...asked, ...left },
  };
}

async function childEnd(
  tree: ParentTree,
  execution: ChildExecution,
  call: EffectCall,
): Promise<ChildEnd | NotOpened | null> {
  const known = await tree.log.findByParentEffect(call.id);
  const run = known ? await resumeChild(tree, known.run, call) : await openChild(tree, execution, call);
  if (run === null || 'kind' in run) return run;
  const stop = () => {
    const why: Stopped = call.signal.reason;
    if (why === 'pause') void run.pause(tree.pausedBy().by, undefined, tree.pausedBy().reason);
    else void run.post(STOPPED_BY_PARENT);
  };
  if (call.signal.aborted) stop();
  else call.signal.addEventListener('abort', stop, { once: true });
  // It may also have left because its log could not be written.
  await Promise.allSettled([run.done]);
  call.signal.removeEventListener('abort', stop);
  const isFinished = await tree.remove(run.id, call.signal);
  return { ...(await run.done), run: run.id, steering: run.steering, isFinished };
}

/** Null: the effect was stopped before its child began, and answers with nothing. */
async function openChild(
  tree: ParentTree,
  { settings, notStarted }: ChildExecution,
  call: EffectCall,
): Promise<LoopRun | NotOpened | null> {
  const asked = call.signal.aborted ? null : await settings(call);
  if (asked?.kind === 'refused') return asked;
  if (asked && !call.signal.aborted) return tree.begin(tree.newRunId(), asked.settings, call.id);
  if (!notStarted || call.signal.reason !== ('abort' satisfies Stopped)) return null;
  return { kind: 'refused', event: notStarted };
}

/** A child from before a crash: it has ended already, or is resumed. */
async function resumeChild(tree: ParentTree, run: string, call: EffectCall): Promise<LoopRun | ChildEnd> {
  await assertIntact(tree.log, run);
  const loaded = await load(tree.log, run, tree.makeHandlers, tree.loops);
  if (loaded.kind !== 'loaded') throw new Error(`child run ${run} cannot be folded: ${loaded.kind}`);
  const { outcome, spend } = lifeOf(loaded.state);
  if (hasEnded(loaded.state) && outcome) {
    const { handlers } = loaded;
    const said = { ...lastMessage(handlers), steering: handlers.steering() };
    return { kind: 'ended', outcome, spend, ...said, run, isFinished: true };
  }
  const remade = loaded.settings.isolation ? await remadeSince(tree.log, run) : null;
  return tree.reopen(run, loaded, {
    event: resumedOrStopped(loaded.idleSince, tree.now(), call.signal, remade),
    causation: null,
  });
}
