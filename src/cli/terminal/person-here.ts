import type { Approver } from '../../../machines/recorded-proof.ts';
import { localUser } from '../../hosts/local/local-user.ts';
import { isInsideCommand } from '../args/enclosing-run.ts';
import type { Output } from './output.ts';

/** Where the person types, and which folder the call is about. */
export interface Place {
  readonly err: Output;
  readonly input: NodeJS.ReadStream;
  readonly directory: string;
}

/**
 * Returns the person at this terminal, as the system and git know them. Null: there is no terminal, or a command of a
 * run has made it, so that no person may sit there.
 */
export async function personHere({ err, input, directory }: Place): Promise<Approver | null> {
  if (!err.isTerminal || input.isTTY !== true || (await isInsideCommand())) return null;
  return { ...(await localUser(directory)), door: 'terminal' };
}
