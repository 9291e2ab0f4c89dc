import { EXIT } from '../terminal/exit-status.ts';

/** An error of a command for the user: the message, the next command to try, and the exit status. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
  readonly status: number;
  /** Words of a command of ours that would help, or the command as it is to be pasted. */
  readonly next: readonly string[] | { readonly command: string } | null;

  constructor(status: number, message: string, next: Complaint['next'] = null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.next = next;
  }
}

/** An error in an argument, worded as an error in an option. */
export const usage = (field: string, expected: string, found: string, next: Complaint['next'] = null): Complaint =>
  new Complaint(EXIT.usage, `${field}: expected ${expected}, found ${found}`, next);
