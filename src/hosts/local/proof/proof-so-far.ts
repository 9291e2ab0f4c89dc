import type { RecordedProof } from '../../../../machines/recorded-proof.ts';
import type { ComparedWork } from './compared-work.ts';
import type { RanBoth } from './ran-both.ts';

/** What both legs of a proof came to, as those who ran them say it, and how their tests compare. */
export type ProofSoFar<Both extends RanBoth = RanBoth> = Both & ComparedWork & { readonly proof: RecordedProof };
