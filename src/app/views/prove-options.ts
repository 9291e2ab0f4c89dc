import type { proveRun } from '../proof/prove-run.ts';

/** How proofs are run, beside what was recorded of the run. */
export type ProofOptions = Pick<Parameters<typeof proveRun>[2], 'protect' | 'unprotect' | 'deps'>;
