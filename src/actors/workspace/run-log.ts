import { z } from 'zod';
import { jsonIn } from '../../text/json-in.ts';
import { thisProcess } from '../../log/holder.ts';
import { addressOf } from '../../log/log-files.ts';
import { git, type GitCall } from './git.ts';
import { keepJson, runRef } from './run-refs.ts';

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
  const found = new Map<string, RunLog>();
  if (runs.length === 0) return found;
  const input = new TextEncoder().encode(runs.map((run) => `${runRef(run, 'log')}\n`).join(''));
  const said = new TextDecoder().decode(await git(['cat-file', '--batch'], { ...call, input })).split('\n');
  for (const run of runs) {
    // A line for what is missing; else one before the content, which is one line too.
    if (said.shift()?.endsWith(' missing')) continue;
    const record = RunLog.safeParse(jsonIn(said.shift() ?? ''));
    if (record.success) found.set(run, record.data);
  }
  return found;
}
