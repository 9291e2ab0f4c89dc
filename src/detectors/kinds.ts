import { compactionThrashKind } from './compaction-thrash.ts';
import { failuresKind } from './failures.ts';
import { handoffCycleKind } from './handoff-cycle.ts';
import { identicalCallsKind } from './identical-calls.ts';
import type { DetectorKind } from './kind.ts';
import { noImprovementKind } from './no-improvement.ts';
import { noProgressKind } from './no-progress.ts';
import { similarOutputKind } from './similar-output.ts';
import { workspaceHashKind } from './workspace-hash.ts';

/** Every detector that comes with the library, in the order in which a person reads of them. */
export const DETECTOR_KINDS: readonly DetectorKind[] = [
  identicalCallsKind,
  workspaceHashKind,
  similarOutputKind,
  noProgressKind,
  failuresKind,
  compactionThrashKind,
  noImprovementKind,
  handoffCycleKind,
];
