import type { Outcome } from '../../../../machines/outcome.ts';
import { sentinelOf } from '../../../strategies/sentinel.ts';
import { head } from '../../../text/excerpt.ts';

/** How an agent begins the line that says why a finding cannot be removed. */
export const CANNOT = 'CANNOT:';

/** How an experiment ended of which there is nothing more to say. */
export const FINISHED = 'its agent has finished';

const SAYS_SO = /^[\s>*_#-]*CANNOT:\s*(?<why>.+?)[\s*_]*$/m;
const MAX_WORDS_CHARS = 400;

/** How an experiment ended, as the first tier of its evaluation says it. */
export interface ExperimentEnd {
  /** For people, and for the experiments after it. */
  readonly detail: string;
  /** A limit has cut it: there may be more to come of it. */
  readonly isCut: boolean;
  /** The agent says that it cannot be done. */
  readonly isGivenUp: boolean;
}

/**
 * Says how an experiment ended: by itself, by a limit, by a detector, by an error, or with the word that it cannot be
 * done.
 *
 * @example
 * howItEnded({ ending: 'success', verified: null, partial: false }, 'CANNOT: the API is gone').isGivenUp; // true
 */
export function howItEnded(outcome: Outcome, answer: string): ExperimentEnd {
  const why = SAYS_SO.exec(answer)?.groups?.['why'];
  if (why !== undefined && outcome.ending === 'success')
    return {
      detail: `it cannot be done, its agent says: ${head(why, MAX_WORDS_CHARS)}`,
      isCut: false,
      isGivenUp: true,
    };
  const said = answer.trim() === '' ? '' : `; its last answer: ${head(answer.trim(), MAX_WORDS_CHARS)}`;
  const end = (detail: string, isCut: boolean) => ({ detail: `${detail}${said}`, isCut, isGivenUp: false });
  switch (outcome.ending) {
    case 'success':
      return { detail: FINISHED, isCut: false, isGivenUp: false };
    case 'budget':
    case 'cap_hit':
      return end(`it was cut before it had finished, ${outcome.ending}: ${sentinelOf(outcome)?.text}`, true);
    case 'doom_loop':
      return end(`it was stopped, ${outcome.ending}: ${sentinelOf(outcome)?.text}`, false);
    case 'abort':
      return end(`it ended by an error: ${outcome.fault?.message ?? outcome.cause}`, false);
  }
}
