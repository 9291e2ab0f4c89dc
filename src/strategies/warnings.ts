import { Level } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { HybridConfig } from './hybrid.ts';
import type { RalphConfig } from './ralph.ts';

/** What a strategy's config is held against. */
export type WarnedRun = Pick<RunSettings, 'limits' | 'checks'>;

/** What of a hybrid config cannot work in this run. */
export function hybridWarnings(config: HybridConfig, { limits, checks }: WarnedRun): string[] {
  const { baseIterations, maxBonusIterations, acceptPartialAfter, minVerificationLevel } = config;
  const own = baseIterations + maxBonusIterations;
  const most = Math.min(own, limits.maxIterations ?? own);
  const warnings: string[] = [];
  if (most < baseIterations) {
    warnings.push(`baseIterations (${baseIterations}) is more than maxIterations (${most}): the loop ends at ${most}.`);
  }
  if (limits.maxIterations !== null && limits.maxIterations > own) {
    const more = `maxIterations (${limits.maxIterations}) is more than the strategy has: ${baseIterations} and ${maxBonusIterations}`;
    warnings.push(`${more}. The loop ends at ${own}; raise maxBonusIterations for more.`);
  }
  if (acceptPartialAfter !== null && acceptPartialAfter > most) {
    const more = `acceptPartialAfter (${acceptPartialAfter}) is more than the iterations there are (${most})`;
    warnings.push(`${more}: no partial result is taken.`);
  }
  const isReached = checks.some(({ level }) => Level.options.indexOf(level) >= Level.options.indexOf(minVerificationLevel));
  if (checks.length > 0 && !isReached) {
    const high = `minVerificationLevel is ${minVerificationLevel}, but no check is that high`;
    warnings.push(`${high}: passed checks end the loop all the same.`);
  }
  return warnings;
}

/** What of a ralph config cannot work in this run. */
export function ralphWarnings({ minIterations, skipVerification }: RalphConfig, { limits, checks }: WarnedRun): string[] {
  const { maxIterations } = limits;
  const warnings: string[] = [];
  if (maxIterations !== null && minIterations > maxIterations) {
    const more = `minIterations (${minIterations}) is more than maxIterations (${maxIterations})`;
    warnings.push(`${more}: ${maxIterations} is used.`);
  }
  if (skipVerification && checks.length > 0) {
    warnings.push('skipVerification: the checks are not run, and a success is not verified.');
  }
  return warnings;
}
