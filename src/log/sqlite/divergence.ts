import { join } from 'node:path';
import { LogError } from '../log.ts';
import { HEADS } from '../log-files.ts';

/** A run that the database holds less of, or otherwise, than the note of its head says. */
export interface Behind {
  readonly run: string;
  /** The version that was noted outside the database. */
  readonly noted: number;
  /** The last version in the database; 0 where it has no such run. */
  readonly here: number;
}

const MAX_NAMED = 3;

/** The database lost events that were committed: what is missing, and what to do about it. */
export function diverged(store: string, behind: readonly Behind[]): LogError {
  const [first, ...others] = behind;
  const named = behind.slice(0, MAX_NAMED).map(inWords).join('; ');
  const more = behind.length > MAX_NAMED ? `; and ${behind.length - MAX_NAMED} more runs` : '';
  const notes = first && others.length === 0 ? join(store + HEADS, first.run) : `their notes in ${store}${HEADS}`;
  return new LogError(
    'diverged',
    store,
    named + more,
    `Restore the log from a copy, save what is left with \`loopfold check --repair FILE\`, or accept the loss by ` +
      `deleting ${notes}.`,
  );
}

const inWords = ({ run, noted, here }: Behind): string =>
  here === 0
    ? `run ${run} had ${noted} versions, and is not in the log any more`
    : `run ${run} had another history up to version ${noted}; here it ends at ${here}`;
