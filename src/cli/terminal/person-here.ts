import type { Approver } from '../../../machines/recorded-proof.ts';
import { hasElder } from '../../actors/processes-above.ts';
import { localUser } from '../../app/people/local-user.ts';
import { isInsideCommand } from '../args/run-around.ts';
import type { Output } from './output.ts';

/** Where the person types, and which folder the call is about. */
export interface Place {
  readonly err: Output;
  readonly input: NodeJS.ReadStream;
  readonly directory: string;
  /** When the run began. Absent: it works in this process. */
  readonly since?: Date | undefined;
}

/**
 * Returns the person at this terminal, as the system and git know them. Null: there is no terminal, or a command of a
 * run may have made it: its processes are known by their marks, and those without one by their start after the run's.
 */
export async function personHere({ err, input, directory, since }: Place): Promise<Approver | null> {
  if (!err.isTerminal || input.isTTY !== true || (await isInsideCommand())) return null;
  if (since && !(await hasElder(since))) return null;
  return { ...(await localUser(directory)), door: 'terminal' };
}
