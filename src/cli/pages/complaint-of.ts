import { obstacleOf } from '../../hosts/local/obstacle.ts';
import { Complaint } from './complaint.ts';
import { EXIT, OBSTACLE_EXIT } from '../terminal/exit-status.ts';

/** Any thrown value as a `Complaint`. An unexpected one is a bug, and carries its stack. */
export function complaintOf(error: unknown, verb: string): Complaint {
  if (error instanceof Complaint) return error;
  const obstacle = obstacleOf(error);
  if (obstacle && error instanceof Error) {
    const next = obstacle === 'request' ? [verb, '--help'] : null;
    return new Complaint(OBSTACLE_EXIT[obstacle], error.message, next, { cause: error });
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Complaint(EXIT.internal, `this is a bug: ${trace}`, null, { cause: error });
}
