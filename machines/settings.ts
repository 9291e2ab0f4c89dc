import { z } from 'zod';
import { Price } from './price.ts';

const cap = z.int().nonnegative().nullable();

/** Every limit of one run; null is unlimited. A run without any cap is refused before it gets here. */
export const Limits = z.strictObject({
  maxSteps: cap,
  maxToolCalls: cap,
  maxTokens: cap,
  maxIterations: cap,
  maxTimeMs: cap,
  /** Billionths of a US dollar. */
  maxCostNanoUsd: cap.optional(),
});
export type Limits = z.infer<typeof Limits>;

/** One command that must exit with 0. */
export const Check = z.strictObject({
  level: z.enum(['L0', 'L1', 'L2', 'L3']),
  name: z.string(),
  command: z.string(),
  timeoutMs: z.int().positive(),
  /** Where the command leaves a report of its single tests, relative to the workspace. What it prints is read anyway. */
  report: z.string().optional(),
});
export type Check = z.infer<typeof Check>;

/** One detector, or a whole profile, by name; a detector's own numbers beside it. */
export const DetectorChoice = z.union([z.string(), z.strictObject({ name: z.string(), config: z.record(z.string(), z.json()) })]);
export type DetectorChoice = z.infer<typeof DetectorChoice>;

/** What a run was asked to do: all of it, so that it can be resumed from its log alone. */
export const RunSettings = z.strictObject({
  /** The name of a loop: the newest version of it that its host knows folds the run. */
  loop: z.string(),
  prompt: z.string(),
  system: z.string().nullable(),
  /** How to find the model again: `script:FILE`, or the name a host gave it. */
  model: z.string(),
  /** Who answers where the model cannot. */
  fallbackModel: z.string().nullable().optional(),
  /** The agent file whose words and numbers these settings are, by its name. */
  agent: z.string().nullable().optional(),
  tools: z.array(z.string()),
  /** Names of environment variables that commands and checks see beside the usual ones. */
  environment: z.array(z.string()).optional(),
  /** The workspace. */
  directory: z.string(),
  limits: Limits,
  /** For a loop of attempts: what each attempt may use at most. */
  attemptLimits: Limits.nullable(),
  checks: z.array(Check),
  /** Asked after the checks, where none of them failed. It proves nothing; strategies are told. */
  ci: z.strictObject({ command: z.string(), timeoutMs: z.int().positive() }).nullable().optional(),
  strategy: z.strictObject({ name: z.string(), config: z.json() }).nullable(),
  /** What only its loop asks for. */
  options: z.json().optional(),
  /** Later ones complete or replace earlier ones. Absent: the profile `default`. */
  detectors: z.array(DetectorChoice).optional(),
  /** Tokens set aside for a summary that the model writes when a limit ends the run. Absent or 0: it is made of the facts. */
  summaryTokens: z.int().nonnegative().optional(),
  /** By the name of the model. Known before the first call where money is limited. */
  prices: z.record(z.string(), Price).optional(),
  /** Where projections of the log are kept as files, relative to the workspace. */
  stateDirectory: z.string().nullable().optional(),
  /** How long an aborted run waits for last results. */
  graceMs: z.int().nonnegative(),
  /** The effect (`RUN/version/n`) of another run that this run performs, and the attempt it is. */
  parent: z
    .strictObject({
      run: z.string(),
      effect: z.string(),
      iteration: z.int().nonnegative(),
      /** Which agents were handed which tasks on the way to this run, from the root on: digests, one a handoff. */
      lineage: z.array(z.string()).optional(),
    })
    .nullable(),
});
export type RunSettings = z.infer<typeof RunSettings>;
