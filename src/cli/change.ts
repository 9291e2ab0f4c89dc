import type { Limits } from '../../machines/settings.ts';
import { aboveCeiling, iterationWithoutEnd, turnWithoutEnd } from '../config/caps.ts';
import { CEILINGS } from '../config/defaults.ts';
import { type ConfigFault, faultsOf } from '../config/fault.ts';
import { RunOptions } from '../config/options.ts';
import { OptionsError } from '../hosts/local/loops.ts';
import type { RunSummary } from '../projections/run-summary.ts';
import type { Change } from '../runtime/supervisor.ts';
import type { CapOptions } from './run-flags.ts';

const Caps = RunOptions.pick({
  maxIterations: true,
  maxSteps: true,
  maxToolCalls: true,
  maxTokens: true,
  maxTime: true,
});
type Before = Pick<RunSummary, 'settings' | 'limits' | 'attemptLimits'>;

/** What a continuation changes, from what a person asked for. Throws an `OptionsError` as a new run would. */
export function changeOf(asked: CapOptions, before: Before): Change {
  const parsed = Caps.safeParse(asked);
  if (!parsed.success) throw new OptionsError(faultsOf(parsed.error, asked, Object.keys(Caps.shape)));
  const { maxSteps, maxToolCalls, maxTokens, maxTime, maxIterations } = parsed.data;
  const ofAttempt = given({ maxSteps, maxToolCalls });
  const ofRun = given({ maxTokens, maxTimeMs: maxTime, maxIterations });
  refuse([
    ...aboveCeiling('maxSteps', maxSteps, 'steps', CEILINGS),
    ...aboveCeiling('maxIterations', maxIterations, 'iterations', CEILINGS),
    ...withoutEnd(ofRun, ofAttempt, before),
  ]);
  return before.attemptLimits ? { limits: ofRun, attemptLimits: ofAttempt } : { limits: { ...ofRun, ...ofAttempt } };
}

function withoutEnd(ofRun: Partial<Limits>, ofAttempt: Partial<Limits>, before: Before): ConfigFault[] {
  const { settings, limits, attemptLimits } = before;
  if (!attemptLimits) return turnWithoutEnd({ ...limits, ...ofRun, ...ofAttempt }, settings.checks.length > 0);
  return iterationWithoutEnd({ ...limits, ...ofRun }, { ...attemptLimits, ...ofAttempt });
}

function refuse(faults: readonly ConfigFault[]): void {
  if (faults.length > 0) throw new OptionsError(faults);
}

/** Without what nobody asked for: null is an answer, undefined is none. */
const given = (caps: { readonly [cap in keyof Limits]?: number | null | undefined }): Partial<Limits> =>
  Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== undefined));
