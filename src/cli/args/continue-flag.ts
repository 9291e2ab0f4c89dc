import type { App } from '../../app/app.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import { isSameFolder } from '../../app/start/is-folder.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { findRun, shortId } from './find-run.ts';

/** What `--continue [RUN]` and the argument of `run` say together. */
export interface ToContinue {
  /** Null: the last run of the folder that has ended. */
  readonly run: string | null;
  /** Undefined: the text comes from a file or from stdin. */
  readonly argument: string | undefined;
}

/** As the beginning or end of an id is written. */
const ID = /^[\da-f][\da-f-]{3,35}$/i;
/** Older ones are not looked at. */
const MAX_LOOKED_AT = 200;

/** A word after the flag is the run where a text stands beside it, or where it looks like an id; else the text. */
export function askedToContinue(value: string | true, argument: string | undefined, hasFile: boolean): ToContinue {
  if (value === true) return { run: null, argument };
  if (argument !== undefined || hasFile || ID.test(value)) return { run: value, argument };
  return { run: null, argument: value };
}

/** The run to continue: the one that is named, or the last one of the folder that has ended. Throws a `Complaint`. */
export async function runToContinue(
  { log }: Pick<App, 'log'>,
  named: string | null,
  directory: string,
): Promise<RunRecord> {
  const record = named === null ? await lastEnded(log, directory) : await findRun(log, { run: named, last: false });
  if (record.closed !== null || record.root !== record.run) return record;
  const id = shortId(record.run);
  const isOwned = (await log.holder(record.run)) !== null;
  const why = `run ${record.run} has not ended, so it has no past to continue: steer adds to its task while it works`;
  throw new Complaint(EXIT.usage, why, isOwned ? ['steer', id, 'TEXT'] : ['resume', id]);
}

async function lastEnded(log: App['log'], directory: string): Promise<RunRecord> {
  const ended = (await log.runs()).filter(({ parentEffect, closed }) => parentEffect === null && closed !== null);
  for (const record of ended.toReversed().slice(0, MAX_LOOKED_AT)) {
    const settings = await readSettings(log, record.run);
    if (settings && (await isSameFolder(givenFolder(settings), directory))) return record;
  }
  throw usage('--continue', 'a run of this folder that has ended', 'none', ['runs']);
}
