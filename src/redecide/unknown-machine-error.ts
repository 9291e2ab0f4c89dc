import type { UnknownMachine } from '../kernel/fold.ts';
import { notFoldedSentence } from '../runtime/unfoldable.ts';

/** The run was written by an unknown machine. */
export class UnknownMachineError extends Error {
  override readonly name = 'UnknownMachineError';
  readonly unknown: UnknownMachine;

  constructor(run: string, unknown: UnknownMachine) {
    super(notFoldedSentence(unknown, run));
    this.unknown = unknown;
  }
}
