import type { Sent } from '../../runtime/send-command.ts';
import type { CommandResult } from '../../app/people/people-result.ts';

/** The result of any command to a run. */
export type AnyResult = CommandResult | Sent;

/** Why a run did not take a command. Null: it did. */
export function refusalReason(result: AnyResult): string | null {
  switch (result.kind) {
    case 'received':
    case 'delivered':
      return null;
    case 'unknown_run':
      return 'this log does not know the run';
    case 'held':
    case 'rejected':
      return result.reason;
    case 'refused':
      return result.message;
  }
}
