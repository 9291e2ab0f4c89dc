import type { RecordedProof } from '../../machines/recorded-proof.ts';
import type { ComparedWork } from './compare-work.ts';
import type { RanBoth } from './run-both.ts';

/** The results of both legs of a proof, as those who ran them say it, and the comparison of their tests. */
export type ProofSoFar<Both extends RanBoth = RanBoth> = Both & ComparedWork & { readonly proof: RecordedProof };
