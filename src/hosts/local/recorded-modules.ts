import { resolve } from 'node:path';
import { Reading } from '../../log/reading.ts';
import type { Log, RunRecord } from '../../log/log.ts';

/** The module that a run's loop was loaded from, as the run has recorded it. */
export interface RecordedModule {
  readonly run: string;
  readonly machine: string;
  /** As it was recorded: relative to the workspace. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
}

/** The modules that runs were started with, each once. Loops that ship have none, nor do those that a program handed in. */
export async function recordedModules(log: Log, runs: readonly RunRecord[]): Promise<readonly RecordedModule[]> {
  const found = new Map<string, RecordedModule>();
  for (const { run } of runs) {
    const recorded = await moduleOf(log, run);
    if (recorded && !found.has(`${recorded.machine} ${recorded.file}`)) found.set(`${recorded.machine} ${recorded.file}`, recorded);
  }
  return [...found.values()];
}

async function moduleOf(log: Log, run: string): Promise<RecordedModule | null> {
  const reading = new Reading([]);
  for await (const envelope of log.read(run, { from: 1, to: 1 })) {
    const read = reading.read(envelope);
    if (read.kind === 'unreadable' || read.event.type !== 'run.started') return null;
    const { machine, module, settings } = read.event.payload;
    if (module?.path == null) return null;
    return { run, machine, path: module.path, file: resolve(settings.directory, module.path) };
  }
  return null;
}
