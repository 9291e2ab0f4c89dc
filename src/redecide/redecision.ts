import { isDeepStrictEqual } from 'node:util';
import type { OwnAnswer, OwnJudgement } from '../runtime/own-judgement.ts';
import type { Decision } from '../runtime/verdict.ts';
import { endingName } from '../projections/wording.ts';
import type { Saving } from './saving.ts';

interface Place {
  readonly run: string;
  readonly version: number;
  /** RFC 3339. */
  readonly at: string;
  /** Rounds that were begun by then. */
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

type DecidedAgain = Place & { readonly kind: 'decision'; readonly recorded: Decision; readonly other: Decision };

/** `kind` is what its loop calls such an answer: see `LoopDefinition.judgements`. */
type AnsweredAgain = Place & { readonly kind: string; readonly recorded: OwnAnswer; readonly other: OwnAnswer };

/** One recorded judgement beside the one that the other judge makes of the same facts. */
export type Redecision = DecidedAgain | AnsweredAgain;

type Where = Pick<Place, 'run' | 'version' | 'at' | 'after' | 'used'>;

export const isDecision = (one: Redecision): one is DecidedAgain => one.kind === 'decision';

export function decidedAgain(where: Where, recorded: Decision, other: Decision): Redecision {
  const agrees = verdictOf(recorded) === verdictOf(other);
  const leadsToTheSame = agrees && recorded.feedback === other.feedback;
  return { kind: 'decision', ...where, recorded, other, isSame: isSame(recorded, other), agrees, leadsToTheSame };
}

/** `own` says what its loop calls such an answer, and what two of them come to. */
export function answeredAgain(where: Where, own: OwnJudgement, recorded: OwnAnswer, other: OwnAnswer): Redecision {
  const agrees = own.verdict(recorded) === own.verdict(other);
  return { kind: own.kind, ...where, recorded, other, isSame: isSame(recorded, other), agrees, leadsToTheSame: agrees };
}

/** `go on`, or the ending in a word or two. */
export const verdictOf = ({ sink }: Decision): string => (sink ? endingName(sink) : 'go on');

/** As the log would hold them: what is undefined is not there. */
const isSame = (one: object, other: object): boolean => isDeepStrictEqual(one, JSON.parse(JSON.stringify(other)));
