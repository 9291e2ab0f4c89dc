import { EXIT } from './exit-status.ts';

/** Why a command cannot do what it was asked to: what to print, what to try next, and the status to end with. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
  readonly status: number;
  /** Words of a command of ours that would help. */
  readonly next: readonly string[] | null;

  constructor(status: number, message: string, next: readonly string[] | null = null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.next = next;
  }
}

/** A wrong word on the command line, in the same form as a wrong option. */
export const usage = (field: string, expected: string, found: string, next: Complaint['next'] = null): Complaint =>
  new Complaint(EXIT.usage, `${field}: expected ${expected}, found ${found}`, next);
