import type { DetectorKind } from './kind.ts';
import { handoffCycleKind } from './handoff-cycle.ts';
import { identicalCallsKind } from './identical-calls.ts';

/** Every detector that comes with the library, in the order in which a person reads of them. */
export const DETECTOR_KINDS: readonly DetectorKind[] = [identicalCallsKind, handoffCycleKind];
