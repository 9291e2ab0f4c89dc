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
  const highest = Math.max(...checks.map(({ level }) => Level.options.indexOf(level)));
  const isTooLow = checks.length > 0 && highest < Level.options.indexOf(minVerificationLevel);
  return [
    ...(most < baseIterations ? [`baseIterations (${baseIterations}) is more than maxIterations (${most}): the loop ends at ${most}.`] : []),
    ...(acceptPartialAfter !== null && acceptPartialAfter > most
      ? [`acceptPartialAfter (${acceptPartialAfter}) is more than the iterations there are (${most}): no partial result is taken.`]
      : []),
    ...(isTooLow ? [`minVerificationLevel is ${minVerificationLevel}, but no check is that high: passed checks end the loop all the same.`] : []),
  ];
}

/** What of a ralph config cannot work in this run. */
export function ralphWarnings({ minIterations, skipVerification }: RalphConfig, { limits, checks }: WarnedRun): string[] {
  const { maxIterations } = limits;
  return [
    ...(maxIterations !== null && minIterations > maxIterations
      ? [`minIterations (${minIterations}) is more than maxIterations (${maxIterations}): ${maxIterations} is used.`]
      : []),
    ...(skipVerification && checks.length > 0 ? ['skipVerification: the checks are not run, and a success is not verified.'] : []),
  ];
}
