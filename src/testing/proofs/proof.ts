/**
 * One property of a loop. It needs no test framework: `prove` throws where the property does not hold.
 */
export interface Proof {
  readonly name: string;
  /** Throws a `ProofError`. */
  readonly prove: () => void;
}

/** A property does not hold; `example` is the smallest run that shows it, where there is one. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  /** The name of the proof. */
  readonly proof: string;
  /** The smallest run that shows it, as code to paste into a test. Null where no run was needed. */
  readonly example: string | null;

  constructor(proof: string, found: string, shownBy: string | null = null, cause?: unknown) {
    super([`${proof}: ${found}`, ...(shownBy ? [shownBy] : [])].join('\n'), { cause });
    this.proof = proof;
    this.example = shownBy;
  }
}
