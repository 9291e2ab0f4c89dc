import type { ImprovementOptions } from './improvement-options.ts';

const NANO_USD_PER_USD = 1_000_000_000;

/**
 * What an experiment leaves to the phases behind it: the estimate of its integration in tokens, and the prices of the
 * commands that evaluate it.
 */
export function roomBehind({ evaluate, integrate }: ImprovementOptions['phases']): {
  readonly tokens: number;
  readonly nanoUsd: number;
} {
  const tiers = evaluate.enabled ? [evaluate.focused, ...evaluate.anchors] : [];
  const costUsd = tiers.reduce((sum, tier) => sum + (tier?.costUsd ?? 0), 0);
  return {
    tokens: integrate.enabled ? integrate.estimateTokens : 0,
    nanoUsd: Math.round(costUsd * NANO_USD_PER_USD),
  };
}
