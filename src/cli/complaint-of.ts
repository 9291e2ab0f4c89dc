import { obstacleOf } from '../hosts/local/obstacle.ts';
import { Complaint } from './complaint.ts';
import { EXIT, OBSTACLE_EXIT } from './exit-status.ts';

/** Anything that was thrown, as a complaint. What nobody expected is a bug, and says where it happened. */
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
