import { isDeepStrictEqual } from 'node:util';
import type { EventOf } from '../../machines/events.ts';
import type { Decision } from '../runtime/verdict.ts';
import { endingName } from '../projections/wording.ts';
import type { Saving } from './saving.ts';

type Admission = EventOf<'calls.admitted'>['payload'];

interface Place {
  readonly run: string;
  readonly version: number;
  /** RFC 3339. */
  readonly at: string;
  /** Iterations of a loop of attempts, or steps of a turn, that were begun by then. */
  readonly after: number;
  /** What the run had used by then. */
  readonly used: Saving;
  /** Every word is the same. */
  readonly isSame: boolean;
  /** The same verdict: go on, or the same ending; the same calls refused. */
  readonly agrees: boolean;
  /** What came after it in the log would have come of the other one too. */
  readonly leadsToTheSame: boolean;
}

/** One recorded judgement beside the one that the other judge makes of the same facts. */
export type Redecision =
  | (Place & { readonly kind: 'decision'; readonly recorded: Decision; readonly other: Decision })
  | (Place & { readonly kind: 'admission'; readonly recorded: Admission; readonly other: Admission });

type Where = Pick<Place, 'run' | 'version' | 'at' | 'after' | 'used'>;

export function decidedAgain(where: Where, recorded: Decision, other: Decision): Redecision {
  const agrees = verdictOf(recorded) === verdictOf(other);
  const leadsToTheSame = agrees && recorded.feedback === other.feedback;
  return { kind: 'decision', ...where, recorded, other, isSame: isSame(recorded, other), agrees, leadsToTheSame };
}

export function admittedAgain(where: Where, recorded: Admission, other: Admission): Redecision {
  const agrees = isSame(refusedBy(recorded), refusedBy(other));
  return { kind: 'admission', ...where, recorded, other, isSame: isSame(recorded, other), agrees, leadsToTheSame: agrees };
}

/** `go on`, or the ending in a word or two. */
export const verdictOf = ({ sink }: Decision): string => (sink ? endingName(sink) : 'go on');

export const refusedBy = ({ refused }: Admission): readonly string[] => refused.map(({ callId }) => callId).toSorted();

/** As the log would hold them: what is undefined is not there. */
const isSame = (one: object, other: object): boolean => isDeepStrictEqual(one, JSON.parse(JSON.stringify(other)));
