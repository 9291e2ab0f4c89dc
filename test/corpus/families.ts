import { workspaceHash } from './stories/attempts.ts';
import { attemptsInTurn } from './stories/attempts-in-turn.ts';
import { monologue, repeatedError } from './stories/failing-calls.ts';
import { handoffCycle } from './stories/handing.ts';
import { healthyRounds } from './stories/healthy-rounds.ts';
import { healthyWaiting } from './stories/healthy-waiting.ts';
import { healthyWork } from './stories/healthy-work.ts';
import { healthyWriting } from './stories/healthy-writing.ts';
import { cycles, identicalCalls } from './stories/repeating-calls.ts';
import { compactionThrash, noProgress } from './stories/standing-still.ts';
import { stuckCommands } from './stories/stuck-commands.ts';
import { stuckFiles } from './stories/stuck-files.ts';
import { stuckOutcomes } from './stories/stuck-outcomes.ts';
import type { Family } from './telling.ts';

/** Every story that is told, each with its seed: the same seeds tell the same. */
export const families: readonly Family[] = [
  ...identicalCalls,
  ...repeatedError,
  ...monologue,
  ...cycles,
  ...workspaceHash,
  ...noProgress,
  ...compactionThrash,
  ...handoffCycle,
  ...attemptsInTurn,
  ...stuckCommands,
  ...stuckFiles,
  ...healthyWaiting,
  ...healthyWork,
  // A story's seed is its place: a new one goes to the end, so that none is told anew.
  ...healthyWriting,
  ...stuckOutcomes,
  ...healthyRounds,
];

export const toldIn = (all: readonly Family[]): { readonly family: Family; readonly seed: number }[] =>
  all.flatMap((family, index) =>
    Array.from({ length: family.count }, (_, n) => ({ family, seed: index * 100 + n + 1 })),
  );
