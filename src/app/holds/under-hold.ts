import { realpath } from 'node:fs/promises';
import type { RunSettings } from '../../../machines/settings.ts';
import { newestOf } from '../../kernel/loop-definition.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import type { LiveRun, WithLiveRun } from '../running/live-runs.ts';
import type { AppHost } from '../app-host.ts';
import { mayWrite } from '../../loops/turn/effects/may-write.ts';
import { keepsStateFile } from '../../loops/loop-abilities.ts';
import { StateFileHeldError } from '../start/state-file-holder.ts';
import { stateFileFolder, stateFileOf } from '../../loops/ralph/effects/state-file-place.ts';
import type { Hold, TakenHold, WantedHold, WorkspaceHolds } from '../../ports/workspace-holds.ts';
import { WorkspaceHeldError } from './workspace-held-error.ts';

type Host = Pick<AppHost, 'log' | 'definitions' | 'warn' | 'holds'>;

interface Writer {
  readonly run: string;
  readonly settings: RunSettings;
  readonly isOver?: boolean;
}

/**
 * Begins a new run while it holds its workspace, if it can write there. The hold lasts until the run has ended or left
 * this process. Throws a `WorkspaceHeldError` where another run holds the workspace, and a `StateFileHeldError` where
 * one holds the state file: then nothing begins.
 */
export async function underHold(host: Host, writer: Writer, begin: () => Promise<LiveRun>): Promise<LiveRun> {
  const hold = await held(host, writer);
  if (!hold) return begin();
  return keeping(host, hold, writer, await orReleased(hold, begin));
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
  if (isLive(begun)) return { kind: 'live', live: keeping(host, hold, writer, begun.live) };
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

/** Keeps a hold until the run has left this process. A run that has lost it is paused: another one may write there. */
function keeping({ warn }: Pick<Host, 'warn'>, hold: Hold, writer: Writer, live: LiveRun): LiveRun {
  if (live.run !== writer.run) hold.rename(live.run);
  void hold.lost.then(({ run, workspace }) => {
    warn(
      `run ${live.run} is paused: run ${run} has taken ${workspace}, because this process gave no sign for long. ` +
        `When that one has ended, compare what both have written, and resume ${live.run}`,
    );
    return live.pause('user').catch(() => {});
  });
  const done = live.done.finally(() => hold.release());
  // Callers that await `done` get the rejection; without one, it is not unhandled.
  done.catch(() => {});
  return { ...live, done };
}

/**
 * Works while no run can write in a folder. Throws a `WorkspaceHeldError` where one holds it: then nothing is done.
 * `run`: the run that the folder is held for.
 */
export async function whileHolding<Result>(
  host: Pick<Host, 'log' | 'warn' | 'holds'>,
  { run, directory }: { readonly run: string; readonly directory: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const hold = await taken(host, { run, directory, isOver: true });
  try {
    return await work();
  } finally {
    hold?.release();
  }
}

/** Null where the run needs no hold, or none can be had. */
async function held(host: Host, writer: Writer): Promise<Hold | null> {
  const loop = newestOf(writer.settings.loop, host.definitions);
  if (!loop || !mayWrite(writer.settings, loop)) return null;
  const { run, settings, isOver = false } = writer;
  const stateFile = keepsStateFile(loop) ? await stateFileHold(host, { run, settings, isOver }) : null;
  const workspace = await taken(host, { run, directory: settings.directory, isOver }).catch((error: unknown) => {
    stateFile?.release();
    throw error;
  });
  return joined([stateFile, workspace].filter((hold) => hold !== null));
}

function joined(holds: readonly Hold[]): Hold | null {
  if (holds.length === 0) return null;
  return {
    rename(run) {
      for (const hold of holds) hold.rename(run);
    },
    lost: Promise.race(holds.map(({ lost }) => lost)),
    release() {
      for (const hold of holds) hold.release();
    },
  };
}

/**
 * Holds a state file, which lies in the folder that was given, also where the run works in a worktree. The prefix makes
 * it another thing than the folder around it, which another run may hold.
 */
async function stateFileHold(host: Host, { run, settings, isOver }: Required<Writer>): Promise<Hold | null> {
  const folder = await realpath(stateFileFolder(settings)).catch(() => stateFileFolder(settings));
  const { isolation: _, ...settingsInFolder } = { ...settings, directory: folder };
  const path = stateFileOf(settingsInFolder);
  const answer = take(host, { run, workspace: `state-file:${path}`, isOver });
  if (answer?.kind === 'held') throw new StateFileHeldError(path, answer.by.run, 'claimed', answer.by.process);
  return answer?.hold ?? null;
}

/** Registries that a warning was given for. */
const warned = new WeakSet<WorkspaceHolds>();

async function taken(
  host: Pick<Host, 'log' | 'warn' | 'holds'>,
  { run, directory, isOver }: Pick<WantedHold, 'run' | 'isOver'> & { readonly directory: string },
): Promise<Hold | null> {
  const workspace = await realpath(directory).catch(() => directory);
  const answer = take(host, { run, workspace, isOver });
  if (answer?.kind === 'held') throw new WorkspaceHeldError(workspace, answer.by);
  return answer?.hold ?? null;
}

/** Null where there is no registry, or where it cannot be used: then the run goes on without a hold. */
function take(
  { holds, log, warn }: Pick<Host, 'log' | 'warn' | 'holds'>,
  wanted: Pick<WantedHold, 'run' | 'workspace' | 'isOver'>,
): Exclude<TakenHold, { kind: 'unavailable' }> | null {
  const answer = holds?.take({ ...wanted, log: log.store });
  if (!holds || !answer) return null;
  if (answer.kind !== 'unavailable') return answer;
  if (!warned.has(holds)) warn(answer.why);
  warned.add(holds);
  return null;
}
