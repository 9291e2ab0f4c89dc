import { realpath } from 'node:fs/promises';
import type { RunSettings } from '../../../../machines/settings.ts';
import { newestOf } from '../../../kernel/loop-definition.ts';
import { readSettings } from '../../../projections/read-settings.ts';
import type { LiveRun, WithLiveRun } from '../live-runs.ts';
import type { LocalHost } from '../local-host.ts';
import { mayWrite } from '../may-write.ts';
import type { Hold, WorkspaceHolds } from './workspace-holds.ts';
import { WorkspaceHeldError } from './workspace-held-error.ts';

type Host = Pick<LocalHost, 'log' | 'definitions' | 'warn' | 'holds'>;

interface Writer {
  readonly run: string;
  readonly settings: RunSettings;
  readonly isOver?: boolean;
}

/**
 * Begins a new run while it holds its workspace, if it can write there. The hold lasts until the run has ended or left
 * this process. Throws a `WorkspaceHeldError` where another run holds the workspace: then nothing begins.
 */
export async function underHold(host: Host, writer: Writer, begin: () => Promise<LiveRun>): Promise<LiveRun> {
  const hold = await held(host, writer);
  if (!hold) return begin();
  return keeping(hold, writer, await orReleased(hold, begin));
}

/** The same for a run of the log that is resumed, or continued as another. */
export async function againUnderHold<Result extends { readonly kind: string }>(
  host: Host,
  run: string,
  begin: () => Promise<WithLiveRun<Result>>,
): Promise<WithLiveRun<Result>> {
  const { log } = host;
  const record = await log.run(run);
  const root = record && (await log.run(record.root));
  const settings = root && (await readSettings(log, root.run));
  if (!settings) return begin();
  const writer = { run: root.run, settings, isOver: root.closed !== null };
  const hold = await held(host, writer);
  if (!hold) return begin();
  const begun = await orReleased(hold, begin);
  if (isLive(begun)) return { kind: 'live', live: keeping(hold, writer, begun.live) };
  hold.release();
  return begun;
}

const isLive = (begun: { readonly kind: string }): begun is { readonly kind: 'live'; readonly live: LiveRun } =>
  begun.kind === 'live';

async function orReleased<Begun>(hold: Hold, begin: () => Promise<Begun>): Promise<Begun> {
  try {
    return await begin();
  } catch (error) {
    hold.release();
    throw error;
  }
}

/** Keeps a hold until the run has left this process. */
function keeping(hold: Hold, writer: Writer, live: LiveRun): LiveRun {
  if (live.run !== writer.run) hold.rename(live.run);
  const done = live.done.finally(() => hold.release());
  // Callers that await `done` get the rejection; without one, it is not unhandled.
  done.catch(() => {});
  return { ...live, done };
}

/** Registries that a warning was given for. */
const warned = new WeakSet<WorkspaceHolds>();

/** Null where the run needs no hold, or none can be had. */
async function held(
  { holds, log, definitions, warn }: Host,
  { run, settings, isOver = false }: Writer,
): Promise<Hold | null> {
  const loop = newestOf(settings.loop, definitions);
  if (!holds || !loop || !mayWrite(settings, loop)) return null;
  const workspace = await realpath(settings.directory).catch(() => settings.directory);
  const taken = holds.take({ run, workspace, log: log.store, isOver });
  switch (taken.kind) {
    case 'taken':
      return taken.hold;
    case 'held':
      throw new WorkspaceHeldError(workspace, taken.by);
    case 'unavailable':
      if (!warned.has(holds)) warn(taken.why);
      warned.add(holds);
      return null;
  }
}
