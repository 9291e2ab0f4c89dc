import type { LoopEvent } from '../../../../machines/events.ts';
import type { RalphContext } from '../../../../machines/ralph.machine.ts';
import type { StateEdit } from '../../../../machines/ralph-facts.ts';
import { STATE_FILE } from '../../../ralph/ralph-options.ts';
import { amount } from '../../../text/amount.ts';

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
