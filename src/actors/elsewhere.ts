import type { CommandRequest, CommandResult } from './subprocess.ts';

/** A command, and whether it may use the network. */
export interface CommandElsewhere extends CommandRequest {
  readonly network?: boolean | undefined;
}

/** Where commands run that see their directory, and the rest of the machine, in another way than this process. */
export interface Elsewhere {
  readonly run: (request: CommandElsewhere) => Promise<CommandResult>;
  /** Where what they write into the directory is to be found. */
  readonly written: string;
  /** Where their programs are found. */
  readonly path: string;
}
