import type { Limits, RunSettings } from '../../machines/settings.ts';
import { aboveCeiling, aloneWithoutEnd, effectiveCap, iterationWithoutEnd } from './caps.ts';
import { CEILINGS, type Ceilings } from '../options/defaults.ts';
import { type ConfigFault, faultsOf, knownKeys } from '../options/config-fault.ts';
import type { KnownLoop } from './loop-by-name.ts';
import { RunOptions } from './options.ts';
import type { z } from 'zod';

/** The options of a continuation. An absent one stays as it was. */
export const ChangeOptions = RunOptions.pick({
  maxIterations: true,
  maxSteps: true,
  maxToolCalls: true,
  maxTokens: true,
  maxTime: true,
  maxCost: true,
  strategy: true,
  detectors: true,
});
export type ChangeOptions = z.input<typeof ChangeOptions>;

/** The settings of a run before it is continued. */
export interface Bounds {
  readonly limits: Limits;
  readonly attemptLimits: Limits | null;
}

export type ResolvedChange =
  | {
      readonly kind: 'change';
      readonly limits: Partial<Limits>;
      readonly attemptLimits: Partial<Limits>;
      readonly strategy: RunSettings['strategy'] | undefined;
      readonly detectors: RunSettings['detectors'];
    }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/** What a continuation changes, from a user's options, by the same rules as a new run. `loop` is a turn by default. */
export function resolveChange(
  options: unknown,
  before: Bounds,
  given: { readonly ceilings?: Partial<Ceilings>; readonly loop?: KnownLoop | undefined } = {},
): ResolvedChange {
  const ceilings = { ...CEILINGS, ...given.ceilings };
  const parsed = ChangeOptions.safeParse(options);
  if (!parsed.success) return refused(faultsOf(parsed.error, options, knownKeys(ChangeOptions)));
  const { maxSteps, maxToolCalls, maxTokens, maxTime, maxCost, maxIterations, strategy, detectors } = parsed.data;
  const { maxIterations: fromStrategy, ...config } = strategy?.config ?? { maxIterations: undefined };
  const iterations = maxIterations === undefined ? fromStrategy : maxIterations;
  const ofAttempt = asked({ maxSteps: under(ceilings.steps, maxSteps), maxToolCalls });
  const wanted = asked({ maxTokens, maxTimeMs: maxTime, maxCostNanoUsd: maxCost, maxIterations: iterations });
  const ofRun = { ...wanted, ...asked({ maxIterations: under(ceilings.iterations, iterations) }) };
  const faults = [
    ...aboveCeiling('maxSteps', maxSteps, 'steps', ceilings),
    ...aboveCeiling('maxIterations', iterations, 'iterations', ceilings),
    ...withoutEnd(wanted, ofAttempt, before, given.loop),
  ];
  if (faults.length > 0) return refused(faults);
  const caps = before.attemptLimits
    ? { limits: ofRun, attemptLimits: ofAttempt }
    : { limits: { ...ofRun, ...ofAttempt }, attemptLimits: {} };
  return { kind: 'change', ...caps, strategy: strategy && { name: strategy.name, config }, detectors };
}

function withoutEnd(
  ofRun: Partial<Limits>,
  ofAttempt: Partial<Limits>,
  before: Bounds,
  loop?: KnownLoop,
): ConfigFault[] {
  const { limits, attemptLimits } = before;
  if (!attemptLimits) return aloneWithoutEnd({ ...limits, ...ofRun, ...ofAttempt }, loop?.settings?.bounds);
  return iterationWithoutEnd({ ...limits, ...ofRun }, { ...attemptLimits, ...ofAttempt });
}

/** The cap that applies for a configured one. */
const under = (ceiling: number | null, cap: number | null | undefined) =>
  cap === undefined ? undefined : effectiveCap(cap, ceiling);

const refused = (faults: readonly ConfigFault[]): ResolvedChange => ({ kind: 'refused', faults });

/** Without absent members: null is a value, undefined is not. */
const asked = (caps: { readonly [cap in keyof Limits]?: number | null | undefined }): Partial<Limits> =>
  Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== undefined));
