import { concatMap, filter, from } from 'rxjs';
import { readOpen } from '../../projections/read-questions.ts';
import type { Live } from '../../runtime/own-tree.ts';
import type { AppHost } from '../app-host.ts';

type Host = Pick<AppHost, 'log' | 'definitions'>;

/**
 * Pauses a run that waits until people have done something outside of the program, such as to mend a file: no answer
 * can come, so `done` resolves, and `resume` goes on. A run with an open question keeps waiting for its answer.
 */
export function pauseForRemedy(host: Host, live: Pick<Live, 'run' | 'waiting' | 'pause'>): void {
  live.waiting
    .pipe(
      filter((isWaiting) => isWaiting),
      concatMap(() => from(needsOnlyRemedy(host, live.run))),
      filter((isNeeded) => isNeeded),
    )
    .subscribe({
      next: () => void live.pause('waiting'),
      // A log that cannot be read ends the run, which says why.
      error: () => {},
    });
}

/** Whether a tree of runs needs something to be done outside of the program, and asks nothing. */
async function needsOnlyRemedy({ log, definitions }: Host, root: string): Promise<boolean> {
  const open = (await log.tree(root)).filter(({ closed }) => closed === null);
  const { questions, remedies } = await readOpen(log, open, definitions);
  return questions.length === 0 && remedies.length > 0;
}
