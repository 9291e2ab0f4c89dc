import { validate as isUuid, version as uuidVersion } from 'uuid';
import type { AppHost } from '../app-host.ts';
import { OptionsError } from './options-error.ts';

/** Ids that sort by the time they were made at. */
const RUN_UUID_VERSION = 7;

/** Throws an `OptionsError` where an id is not a UUIDv7, or is that of a run in the log. */
export async function assertNewId({ log }: Pick<AppHost, 'log'>, run: string): Promise<void> {
  const fault = (expected: string) => ({ field: 'run', flag: null, value: run, expected, suggestion: null });
  if (!isUuid(run) || uuidVersion(run) !== RUN_UUID_VERSION) throw new OptionsError([fault('a UUID of version 7')]);
  if (await log.run(run)) throw new OptionsError([fault('the id of no run in this log')]);
}
