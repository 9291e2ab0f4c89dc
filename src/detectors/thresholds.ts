import { z } from 'zod';

/** How often something may happen before it is noticed: 0 is never, and less than `least` would notice everything. */
export function threshold(least: number, things: string) {
  const error = `a whole number of ${things}, ${least} or more, or 0 for off`;
  return z.int({ error }).refine((number) => number === 0 || number >= least, { error, abort: true });
}

interface SoftAndHard {
  readonly nudge: number;
  readonly stop: number;
}

/** First the model is told, once, when so many are reached; from the second threshold on the run is stopped. */
export function nudgeOrStop(count: number, { nudge, stop }: SoftAndHard): 'nudge' | 'stop' | null {
  if (stop > 0 && count >= stop) return 'stop';
  return nudge > 0 && count === nudge ? 'nudge' : null;
}

/** Refuses rungs of a ladder that do not rise: a weaker one at or above a stronger one would never be heard. */
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
