import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { bringTree } from '../../../git/bring/bring-tree.ts';
import { checksOfWork } from '../../../config/clean-tree.ts';
import { captureBounds } from '../../../actors/capture/capture-actor.ts';
import type { HandlerMemory } from '../../shared/handler-memory.ts';
import { takenBaseline } from '../../../verification/baseline-of-check.ts';
import { workingSubject } from '../../../verification/subject-in-folder.ts';
import { stateFilesOf } from '../../../text/own-files.ts';
import type { IntegrationOrder } from './integration-order.ts';
import type { EffectServices } from '../../../ports/services.ts';

export type Baseline = EventOf<'baseline.taken'>['payload'];
export type Services = Pick<EffectServices, 'capture' | 'rootOf' | 'store'>;

/** An integration under way. */
export interface Integration {
  readonly order: IntegrationOrder;
  readonly memory: HandlerMemory;
  readonly services: Services;
  readonly call: EffectCall;
  /** How the checks went on the tree that was the newest when it began. Null: nothing was checked. */
  readonly old: Baseline | null;
}

/** Files could not be brought. The message says which, and why. */
export class NotBrought extends Error {
  override readonly name = 'NotBrought';
}

const MAX_NAMED = 5;

/** Makes the worktree of the loop have exactly the files of a tree. Returns how many were changed. */
export async function bring(tree: string, { order, services }: Integration): Promise<number> {
  const { run, settings, isolation, call } = order;
  const { store } = services;
  const { directory } = settings;
  const brought = await bringTree(
    { run, directory, top: isolation.top, tree, leaveOut: stateFilesOf(settings), store },
    call,
  );
  if (brought.kind === 'exact') return brought.changed;
  const named = brought.kept.slice(0, MAX_NAMED).map(({ path, because }) => `${path}: ${because}`);
  throw new NotBrought(named.length === 0 ? 'the worktree changed at this moment' : named.join('; '));
}

/**
 * Captures the worktree of the loop, which has the files of a tree: `workspace.captured`, and warnings before it.
 * Yields nothing where its newest capture is of that tree already. Throws where it cannot be captured.
 */
export async function* captured(
  tree: string,
  { order, memory, services, call }: Integration,
): AsyncIterable<LoopEvent> {
  const { captures, captured: newest } = memory;
  if (newest === tree) return;
  const { run, settings } = order;
  const { directory } = settings;
  const input = {
    directory,
    run,
    number: captures + 1,
    base: newest,
    ...captureBounds(settings),
    needsGit: true,
  };
  // What has begun is recorded whole, also where the run is told to stop meanwhile.
  const { signal } = new AbortController();
  for await (const event of services.capture.execute(input, { ...call, signal })) {
    if (event.type === 'workspace.failed') throw new NotBrought(event.payload.fault.message);
    yield event;
  }
}

/** How the checks go on a tree of the loop. Null: the run has none, or was told to stop. */
export async function baselineOf(tree: string, { order, services, call }: Integration): Promise<Baseline | null> {
  const { run, settings } = order;
  const { signal, delta } = call;
  if (!settings.proof || settings.checks.length === 0) return null;
  const { start: _start, inherited: _inherited, ...proof } = settings.proof;
  const subject = await workingSubject(settings, { ...proof, base: tree }, tree);
  const { checks, environment = [] } = settings;
  return takenBaseline(subject, {
    run,
    keptFor: await services.rootOf(run),
    checks: checksOfWork(checks),
    environment,
    signal,
    delta,
    heldOut: proof.heldOut,
  });
}
