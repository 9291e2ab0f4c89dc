import type { Outcome } from '../../../../machines/outcome.ts';
import { sentinelOf } from '../../../strategies/sentinel.ts';
import { head } from '../../../text/excerpt.ts';

/** How an agent begins the line that says why a finding cannot be removed. */
export const CANNOT = 'CANNOT:';

/** How an experiment ended of which there is nothing more to say. */
export const FINISHED = 'its agent has finished';

const SAYS_SO = /^[\s>*_#-]*CANNOT:/;
const EMPHASIS = /[\s*_]/;
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
  const why = reasonIn(answer);
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

/** The words behind the first such line, which may be on the next one. Undefined: there is none. */
function reasonIn(answer: string): string | undefined {
  const lines = answer.split(/\r\n?|\n/);
  const at = lines.findIndex((line) => SAYS_SO.test(line));
  if (at < 0) return undefined;
  const [line = ''] = lines.slice(at).join('\n').replace(SAYS_SO, '').trimStart().split('\n', 1);
  let end = line.length;
  while (end > 0 && EMPHASIS.test(line.charAt(end - 1))) end -= 1;
  return line === '' ? undefined : line.slice(0, Math.max(1, end));
}
