import type { Loops } from '../../hosts/local/loops.ts';
import { obstacleOf } from '../../hosts/local/obstacle.ts';
import type { RunChange } from '../../hosts/local/run-change.ts';
import { shortId } from '../args/find-run.ts';
import { changeTotal } from './change-page.ts';
import type { CommandWords } from './next-commands.ts';

/** What a run has changed; null where that is nothing, and where its captures or its repository are not there. */
export async function knownChange(loops: Pick<Loops, 'diff'>, run: string): Promise<RunChange | null> {
  try {
    const change = await loops.diff(run);
    return change.kind === 'change' && change.files.length > 0 ? change : null;
  } catch (error) {
    if (obstacleOf(error) === 'environment') return null;
    throw error;
  }
}

/** The last line of a run's page. */
export const changeLine = ({ files }: RunChange, command: string): string =>
  `\n  change  ${changeTotal(files)}: ${command}`;

/** To see the change, and to take it over or back. `isIsolated`: the user's folder does not have it yet. */
export function changeCommands(run: string, isIsolated: boolean): readonly CommandWords[] {
  const id = shortId(run);
  return [
    ['diff', id],
    [isIsolated ? 'apply' : 'undo', id],
  ];
}
