import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A path at which there is nothing on any machine: another one each time. */
export const absent = (...names: readonly string[]): string =>
  join(tmpdir(), `loopfold-absent-${randomUUID()}`, ...names);
