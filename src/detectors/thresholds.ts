import { z } from 'zod';

/** A threshold for `things`: 0 is off, and fewer than `least` would notice everything. */
export function threshold(least: number, things: string) {
  const error = `a whole number of ${things}, ${least} or more, or 0 for off`;
  return z.int({ error }).refine((number) => number === 0 || number >= least, { error, abort: true });
}

interface SoftAndHard {
  readonly nudge: number;
  readonly stop: number;
}

/** The level at a count: `nudge` once, when the first threshold is met exactly, and `stop` from the second one on. */
export function nudgeOrStop(count: number, { nudge, stop }: SoftAndHard): 'nudge' | 'stop' | null {
  if (stop > 0 && count >= stop) return 'stop';
  return nudge > 0 && count === nudge ? 'nudge' : null;
}

/** Refuses thresholds that do not rise: a weaker level at or above a stronger one could never apply. */
export function rising<Name extends string>(...names: readonly Name[]) {
  return (config: { readonly [name in Name]: number }, context: z.RefinementCtx): void => {
    const rungs = names.filter((name) => config[name] > 0);
    for (const [index, name] of rungs.entries()) {
      const below = rungs[index - 1];
      if (below === undefined || config[name] > config[below]) continue;
      const message = `more than ${below}, or 0 for off: ${below} is ${config[below]}, ${name} ${config[name]}`;
      context.addIssue({ code: 'custom', path: [name], message, input: config[name] });
    }
  };
}
