import { join } from 'node:path';
import type { RunSettings } from '../../../../machines/settings.ts';
import { STATE_FILE } from '../../../ralph/ralph-options.ts';
import type { LoopEvent } from '../../../../machines/events.ts';
import type { RalphContext } from '../../../../machines/ralph.machine.ts';
import type { StateEdit } from '../../../../machines/ralph-facts.ts';
import type { RunWorkspaces } from '../../../ports/run-workspaces.ts';
import { amount } from '../../../text/money.ts';

/** Where people find the state file of a run: in the folder that it was given, also where it works in a worktree. */
export const stateFileFolder = ({ directory, isolation }: Pick<RunSettings, 'directory' | 'isolation'>): string =>
  isolation?.origin ?? directory;

export const stateFileOf = (settings: Pick<RunSettings, 'directory' | 'isolation'>): string =>
  join(stateFileFolder(settings), STATE_FILE);

/** A maximum in the state file that the ceiling reduces, as it does one in a label: the user should know. */
export function* warnAboveCeiling(
  { changes, persons }: Pick<StateEdit, 'changes' | 'persons'>,
  { ceiling, iterations, file }: Pick<RalphContext, 'ceiling' | 'iterations' | 'file'>,
): Iterable<LoopEvent> {
  const { maxIterations, iteration } = { ...changes, ...persons };
  // After an edit of the iteration the file counts in other numbers than the run does.
  const highest = ceiling + (iteration === undefined ? file.ahead : iteration - iterations);
  if (maxIterations === undefined || maxIterations <= highest) return;
  const used = `The ceiling is ${amount(highest, 'iteration')}, so ${highest} is used.`;
  const message = `${STATE_FILE}: max_iterations is ${maxIterations}. ${used}`;
  yield { type: 'warning.raised', payload: { code: 'maximum_above_ceiling', message } };
}

/** Git would commit the state file: the user should know. Said where the file is new. */
export async function* warnExposed(
  settings: RunSettings,
  { isIgnored }: Pick<RunWorkspaces, 'isIgnored'>,
): AsyncIterable<LoopEvent> {
  if (await isIgnored(stateFileFolder(settings), STATE_FILE)) return;
  const message = `git does not ignore ${STATE_FILE}: add it to .gitignore, so that it is not committed`;
  yield { type: 'warning.raised', payload: { code: 'state_file_not_ignored', message } };
}
