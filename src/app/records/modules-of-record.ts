import { resolve } from 'node:path';
import type { Readable } from '../../log/read-event.ts';
import { Reading } from '../../log/reading.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';

/** The module that a run's loop was loaded from, as the run has recorded it. */
export interface RecordedModule {
  readonly run: string;
  readonly machine: string;
  /** As it was recorded: relative to the workspace. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
}

/**
 * The modules that runs were started with, each once. Shipped loops have none, nor do loops that a program passed in.
 */
export async function recordedModules(log: EventStore, runs: readonly RunRecord[]): Promise<readonly RecordedModule[]> {
  const found: RecordedModule[] = [];
  for (const { run } of runs) {
    for await (const page of log.pages(run, { from: 1, to: 1 })) found.push(...modulesIn(page));
  }
  return eachOnce(found);
}

/** The same of the first events of runs, wherever they are recorded. */
export const modulesIn = (starts: readonly Readable[]): readonly RecordedModule[] =>
  eachOnce(starts.flatMap((start) => modulesOf(start)));

/** Of the runs of one module, the first. */
function eachOnce(modules: readonly RecordedModule[]): readonly RecordedModule[] {
  const byFile = Map.groupBy(modules, ({ machine, file }) => `${machine} ${file}`);
  return [...byFile.values()].flatMap(([first]) => first ?? []);
}

function modulesOf(start: Readable): readonly RecordedModule[] {
  const read = new Reading([]).read(start);
  if (read.kind === 'unreadable' || read.event.type !== 'run.started') return [];
  const { machine, module, settings } = read.event.payload;
  if (module?.path == null) return [];
  return [{ run: start.run, machine, path: module.path, file: resolve(settings.directory, module.path) }];
}
