import { z } from 'zod';
import { Fault, Grade } from './outcome.ts';
import { Isolation } from './settings.ts';
import { fact } from './vocabulary.ts';

/** The most attempts that compete, and run at once. */
export const MAX_ATTEMPTS = 20;

/** The run that each attempt of a contest is, as it would be started alone. */
const Competing = z.strictObject({
  /** The name of a loop that the host knows. */
  loop: z.string().default('iteration'),
  /** The most iterations of one attempt. Null: as many as its budget allows. */
  maxIterations: z.int().positive().nullable().default(null),
  strategy: z.strictObject({ name: z.string(), config: z.json() }).nullable().default(null),
  /** The options of that loop. */
  options: z.json().optional(),
});

/** The options of a contest. Its number of attempts is its limit of iterations. */
export const ContestOptions = z.strictObject({
  /** How many attempts run at once. */
  parallel: z.int().min(1).max(MAX_ATTEMPTS).default(2),
  /** The models of the attempts, by turns. Empty: the model of the run. */
  models: z.array(z.string()).max(MAX_ATTEMPTS).default([]),
  attempt: Competing.prefault({}),
});
export type ContestOptions = z.infer<typeof ContestOptions>;

const count = z.int().nonnegative();

/** Which attempt it is, from `1`: child runs have it as their lane. */
const lane = z.string();

/** What is known of the work of an attempt: what its checks found, and how large its change is. */
export const Measure = z.strictObject({
  /** Its run has ended in success, and its checks have passed where the run has any. */
  stands: z.boolean(),
  /** What passed checks are worth, and whether that is enough. Null: there are none that passed. */
  grade: Grade.nullable(),
  enough: z.boolean(),
  /** Another attempt may reach a higher grade. */
  surpassable: z.boolean(),
  checks: z.strictObject({ passed: count, failed: count }),
  /** Tests of the start: how many pass now, how many of those failed before, and how many pass no more. */
  tests: z.strictObject({ passed: count, turned: count, lost: count }),
  change: z.strictObject({ files: count, lines: count }),
});
export type Measure = z.infer<typeof Measure>;

/** An attempt in the table of a comparison, the best first. */
export const ComparedAttempt = z.strictObject({
  lane,
  model: z.string(),
  /** `leads`: the best that stands. `refused`: its change did not pass in the workspace. */
  place: z.enum(['leads', 'stands', 'fails', 'refused', 'ended early', 'runs']),
  /** Why it has that place, in a few words. */
  because: z.string(),
  measure: Measure.nullable(),
});
export type ComparedAttempt = z.infer<typeof ComparedAttempt>;

/** The further events of a loop whose attempts compete. */
export const contestFacts = [
  /** An attempt has a worktree of its own, with the files that the run began with. */
  fact('attempt.prepared', {
    lane,
    /** Hash of the tree that it begins with. */
    base: z.string(),
    /** Its folder, as that of the run, in the worktree. */
    directory: z.string(),
    isolation: Isolation,
  }),
  fact('attempt.refused', { lane, fault: Fault }),
  fact('attempt.measured', {
    lane,
    child: z.string(),
    /** Hash of the tree that it has left. Null: there is none. */
    tree: z.string().nullable(),
    measure: Measure,
  }),
  /** What the attempts come to so far. `leader`: the best that stands; where that is decided, the winner. */
  fact('attempts.compared', {
    leader: z.string().nullable(),
    isDecided: z.boolean(),
    because: z.string(),
    attempts: z.array(ComparedAttempt).max(MAX_ATTEMPTS),
  }),
  /** The change of an attempt is in the workspace. */
  fact('winner.brought', { lane, child: z.string(), tree: z.string(), changed: count }),
  fact('winner.refused', { lane, fault: Fault }),
] as const;
