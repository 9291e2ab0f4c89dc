/** Something that holds for a loop, with its name. No test framework is needed: `prove` throws where it does not hold. */
export interface Proof {
  readonly name: string;
  /** Throws a `ProofError`. */
  readonly prove: () => void;
}

/** What does not hold, and the smallest run that shows it, where there is one. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  /** The name of the proof. */
  readonly proof: string;
  /** The smallest run that shows it, as a sentence that can be pasted into a test. */
  readonly shownBy: string | null;

  constructor(proof: string, found: string, shownBy: string | null = null, cause?: unknown) {
    super([`${proof}: ${found}`, ...(shownBy ? [shownBy] : [])].join('\n'), { cause });
    this.proof = proof;
    this.shownBy = shownBy;
  }
}
