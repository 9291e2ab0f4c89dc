import type { Outcome } from '../../machines/outcome.ts';
import { head } from '../text/excerpt.ts';
import { withoutStop } from '../text/sentence.ts';
import { sentinelOf } from './sentinel.ts';

const MAX_CAUSE_CHARACTERS = 200;

/**
 * Why an attempt did not succeed, without a full stop and at most 200 characters long: a refusal, a window that is
 * full, a limit of its own. Null: it succeeded, or its outcome names no cause, such as that of an attempt which was
 * stopped with its loop.
 */
export function causeOf(outcome: Outcome | null): string | null {
  if (outcome === null) return null;
  const said = outcome.ending === 'abort' ? outcome.fault?.message : sentinelOf(outcome)?.text;
  return said === undefined ? null : head(withoutStop(said), MAX_CAUSE_CHARACTERS);
}
