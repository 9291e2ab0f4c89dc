import { runChange } from '../hosts/local/run-change.ts';
import { obstacleOf } from '../hosts/local/obstacle.ts';
import type { RecordedRuns } from '../hosts/local/recorded-runs.ts';
import type { RunRecord } from '../log/event-store.ts';
import { IntactTree } from '../runtime/intact.ts';
import { type ChangeView, changeView } from './change-view.ts';
import { readRunView } from './read-run-view.ts';
import type { RunView } from './viewed-run.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** What an export of a run is made of. `change` null: its captures or its repository are not there. */
export interface Exported {
  readonly view: RunView;
  readonly change: ChangeView | null;
}

/**
 * Reads a run for an export. Null where its start cannot be read. Throws a `LogError` where the history of the run, or
 * of one below it, was changed.
 */
export async function readExported(host: Host, record: RunRecord): Promise<Exported | null> {
  const intact = new IntactTree(host.log, record.run);
  await intact.assert();
  const view = await readRunView(host, record);
  return view && { view, change: await changeOf(host, record.run, intact) };
}

async function changeOf(host: Host, run: string, intact: IntactTree): Promise<ChangeView | null> {
  try {
    const change = await runChange(host, run, {}, intact);
    return change.kind === 'change' ? await changeView(change) : null;
  } catch (error) {
    if (obstacleOf(error) === 'environment') return null;
    throw error;
  }
}
