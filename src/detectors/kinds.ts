import { alternatingKind } from './alternating.ts';
import { chantKind } from './chant.ts';
import { compactionThrashKind } from './compaction-thrash.ts';
import { cyclesKind } from './cycles.ts';
import { failuresKind } from './failures.ts';
import { handoffCycleKind } from './handoff-cycle.ts';
import { identicalCallsKind } from './identical-calls.ts';
import type { DetectorKind } from './kind.ts';
import { ladderIdenticalKind } from './ladder-identical.ts';
import { monologueKind } from './monologue.ts';
import { noImprovementKind } from './no-improvement.ts';
import { noProgressKind } from './no-progress.ts';
import { repeatedErrorKind } from './repeated-error.ts';
import { repeatedObservationKind } from './repeated-observation.ts';
import { sameMessageKind } from './same-message.ts';
import { sameToolKind } from './same-tool.ts';
import { similarOutputKind } from './similar-output.ts';
import { softHardKind } from './soft-hard.ts';
import { streakLadderKind } from './streak-ladder.ts';
import { workspaceHashKind } from './workspace-hash.ts';

/** Every detector that comes with the library, in the order in which a person reads of them. */
export const DETECTOR_KINDS: readonly DetectorKind[] = [
  identicalCallsKind,
  repeatedObservationKind,
  repeatedErrorKind,
  monologueKind,
  alternatingKind,
  cyclesKind,
  chantKind,
  sameToolKind,
  sameMessageKind,
  ladderIdenticalKind,
  softHardKind,
  workspaceHashKind,
  similarOutputKind,
  streakLadderKind,
  noProgressKind,
  failuresKind,
  compactionThrashKind,
  noImprovementKind,
  handoffCycleKind,
];
