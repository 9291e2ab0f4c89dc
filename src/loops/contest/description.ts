import type { AnyEvent, ContestEvent, Recorded } from '../../../machines/events.ts';
import type { Additions } from '../../kernel/loop-description.ts';
import { amount } from '../../text/amount.ts';
import { describedAttempts } from '../attempt-loop.ts';
import { attemptLine, comparedTable } from './attempt-lines.ts';

/** An event of a contest as one line. Null: it is an event of every loop. */
function lineOf({ type, payload }: Recorded<ContestEvent>): string | null {
  switch (type) {
    case 'iteration.started':
      return `attempt ${payload.iteration + 1}`;
    case 'attempt.prepared':
      return `attempt ${payload.lane} has a worktree of its own`;
    case 'attempt.refused':
      return `attempt ${payload.lane} cannot begin: ${payload.fault.message}`;
    case 'attempt.measured':
      return attemptLine(payload.lane, payload.measure);
    case 'attempts.compared':
      return `${payload.isDecided ? 'decided: ' : ''}${payload.because}`;
    case 'winner.brought':
      return `the change of attempt ${payload.lane} is in the workspace: ${amount(payload.changed, 'file')}`;
    case 'winner.refused':
      return payload.fault.message;
    default:
      return null;
  }
}

/** How people read a contest. */
export const contestDescription = {
  ...describedAttempts({ line: (event) => lineOf(event as Recorded<ContestEvent>) }),
  round: 'attempt',
  rows: false as const,
  child: 'its run',
  answer: 'reason' as const,
  adds: (event: Recorded<AnyEvent>): Additions => {
    const { type, payload } = event as Recorded<ContestEvent>;
    return type === 'attempts.compared' && payload.isDecided ? { table: comparedTable(payload.attempts) } : {};
  },
};
