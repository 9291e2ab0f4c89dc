import { z } from 'zod';
import { thisProcess } from '../../log/holder.ts';
import { addressOf } from '../../log/log-files.ts';
import type { GitCall } from './git.ts';
import { keepJson, keptJsons } from './run-refs.ts';

/** Which log has a run, kept beside its captures: several logs may have runs of one repository. */
const RunLog = z.strictObject({
  /** The path of a file, or another address, such as that of a log in memory. */
  store: z.string(),
  /** When this was written: as the run began, or as it left its workspace the last time. */
  at: z.iso.datetime(),
  /** The process that wrote it: a log in memory is gone with it. */
  by: z.strictObject({ host: z.string(), pid: z.int(), processStart: z.string(), token: z.string() }),
});
export type RunLog = z.infer<typeof RunLog>;

/** Keeps beside the captures of a run which log has it. */
export async function keepRunLog(run: string, store: string, call: GitCall): Promise<void> {
  const record: RunLog = { store: addressOf({ store }), at: new Date().toISOString(), by: thisProcess() };
  await keepJson(run, 'log', record, call);
}

/** The logs of runs, by run. Without those of which none is kept, or that cannot be read. */
export async function runLogs(runs: readonly string[], call: GitCall): Promise<ReadonlyMap<string, RunLog>> {
  const kept = await keptJsons(runs, 'log', call);
  return new Map(
    [...kept].flatMap(([run, value]) => {
      const record = RunLog.safeParse(value);
      return record.success ? [[run, record.data] as const] : [];
    }),
  );
}
