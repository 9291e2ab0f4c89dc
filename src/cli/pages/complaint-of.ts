import { isAbsolute } from 'node:path';
import { WorkspaceHeldError } from '../../app/holds/workspace-held-error.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { obstacleOf } from '../../app/running/obstacle.ts';
import { environmentFault, placeFault } from '../../log/environment-fault.ts';
import { faultSentence } from '../../options/config-fault.ts';
import { shortId } from '../args/find-run.ts';
import { InsideRunError } from '../args/inside-run-error.ts';
import { Complaint } from './complaint.ts';
import { EXIT, OBSTACLE_EXIT } from '../terminal/exit-status.ts';

/** Any thrown value as a `Complaint`. An unexpected one is a bug, and carries its stack. */
export function complaintOf(error: unknown, verb: string): Complaint {
  if (error instanceof Complaint) return error;
  if (error instanceof WorkspaceHeldError) return held(error);
  if (error instanceof InsideRunError) return new Complaint(EXIT.usage, error.message, null, { cause: error });
  const obstacle = obstacleOf(error);
  if (obstacle && error instanceof Error) {
    const next = obstacle === 'request' ? [verb, '--help'] : null;
    const message = error instanceof OptionsError ? error.faults.map(faultSentence).join('\n') : error.message;
    return new Complaint(OBSTACLE_EXIT[obstacle], message, next, { cause: error });
  }
  const fault = environmentFault(error) ?? placeFault(error);
  if (fault) return new Complaint(EXIT.environment, fault.message, null, { cause: error });
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Complaint(EXIT.internal, `this is a bug: ${trace}`, null, { cause: error });
}

/** A run in a log of this machine can be aborted from here; one in memory ends with its process. */
function held(error: WorkspaceHeldError): Complaint {
  const { run, log } = error.holder;
  const next = isAbsolute(log) ? ['abort', shortId(run), '--log', `sqlite:${log}`] : null;
  return new Complaint(EXIT.held, error.message, next, { cause: error });
}
