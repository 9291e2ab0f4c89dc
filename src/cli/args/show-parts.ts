import type { Config } from '../../config/config.ts';

/** How much of a run is shown while it works. */
export interface Shown {
  /** Nothing but warnings, questions and errors. */
  readonly quiet: boolean;
  /** Texts to their end, and what calls have said. */
  readonly verbose: boolean;
  /** With the output format stream-json: what models and commands say, as they say it. */
  readonly deltas: boolean;
}

const isYes = (value: Config['quiet']): boolean => value === true || value === 'true';

export const shownBy = ({ quiet, verbose, deltas }: Pick<Config, 'quiet' | 'verbose' | 'deltas'>): Shown => ({
  quiet: isYes(quiet),
  verbose: isYes(verbose) && !isYes(quiet),
  deltas: isYes(deltas),
});
