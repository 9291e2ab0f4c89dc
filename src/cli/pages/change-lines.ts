import { decidingText } from '../../app/changes/settings-change-text.ts';
import { obstacleOf } from '../../app/running/obstacle.ts';
import type { NoChange, RunChange } from '../../app/changes/run-change.ts';
import { leftOutText, plain } from '../../projections/phrases.ts';
import { shortId } from '../args/find-run.ts';
import { changeTotal } from './change-page.ts';
import type { CommandWords } from './next-commands.ts';

/** What a run has changed, maybe nothing; null where its captures or its repository are not there. */
export async function knownChange(diff: () => Promise<RunChange | NoChange>): Promise<RunChange | null> {
  try {
    const change = await diff();
    return change.kind === 'change' ? change : null;
  } catch (error) {
    if (obstacleOf(error) === 'environment') return null;
    throw error;
  }
}

/** The last lines of a run's page. */
export function changeLines(
  { run, files, leftOut, deciding }: RunChange,
  isIsolated: boolean,
  command: string,
): string[] {
  return [
    ...(files.length === 0 ? [] : [`\n  change  ${changeTotal(files)}: ${command}`]),
    ...(leftOut.length === 0 ? [] : [`\n  not captured: ${leftOutText(leftOut)}`]),
    ...(deciding.length === 0 ? [] : [`\n  ${plain(decidingText(run, deciding, isIsolated))}`]),
  ];
}

/** To see the change, and to take it over or back. `isIsolated`: the user's folder does not have it yet. */
export function changeCommands({ run, files }: RunChange, isIsolated: boolean): readonly CommandWords[] {
  if (files.length === 0) return [];
  const id = shortId(run);
  return [
    ['diff', id],
    [isIsolated ? 'apply' : 'undo', id],
  ];
}
