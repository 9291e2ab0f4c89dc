import type { Took } from '../../../machines/took.ts';

/** A command without a result, and the time that it took until then. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly took: Took | undefined;

  constructor(message: string, took: Took | undefined) {
    super(message);
    this.took = took;
  }
}
