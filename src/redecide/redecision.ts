import type { OwnAnswer, OwnJudgement } from '../kernel/loop-judging.ts';
import type { Decision } from '../kernel/decision.ts';
import { endingName } from '../projections/phrases.ts';
import { sameJson } from '../text/same-json.ts';
import type { Saving } from './saving.ts';
import type { Outcome } from '../../machines/outcome.ts';

interface Place {
  readonly run: string;
  readonly version: number;
  /** RFC 3339. */
  readonly at: string;
  /** Rounds that had begun by then. */
  readonly after: number;
  /** What the run had used by then. */
  readonly used: Saving;
  /** The two decisions are equal, texts included. */
  readonly isSame: boolean;
  /** The same verdict: continue, or the same ending; the same refused calls. */
  readonly agrees: boolean;
  /** The later events of the log would also have followed from the other one. */
  readonly leadsToTheSame: boolean;
}

type DecidedAgain = Place & { readonly kind: 'decision'; readonly recorded: Decision; readonly other: Decision };

/** `kind` is the loop's name for such a judgement: see `LoopDefinition.judgements`. */
type AnsweredAgain = Place & { readonly kind: string; readonly recorded: OwnAnswer; readonly other: OwnAnswer };

/** A recorded judgement, and that of the other judge on the same events. */
export type Redecision = DecidedAgain | AnsweredAgain;

type Where = Pick<Place, 'run' | 'version' | 'at' | 'after' | 'used'>;

export const isDecision = (one: Redecision): one is DecidedAgain => one.kind === 'decision';

export function decidedAgain(where: Where, recorded: Decision, decided: Decision): Redecision {
  const other = asRecorded(recorded, decided);
  const agrees = verdictOf(recorded) === verdictOf(other);
  const leadsToTheSame = agrees && recorded.feedback === other.feedback;
  return { kind: 'decision', ...where, recorded, other, isSame: sameJson(recorded, other), agrees, leadsToTheSame };
}

/** `own` is the loop's own kind of judgement, and how it compares two of them. */
export function answeredAgain(where: Where, own: OwnJudgement, recorded: OwnAnswer, other: OwnAnswer): Redecision {
  const agrees = own.verdict(recorded) === own.verdict(other);
  return {
    kind: own.kind,
    ...where,
    recorded,
    other,
    isSame: sameJson(recorded, other),
    agrees,
    leadsToTheSame: agrees,
  };
}

/** `go on`, or the ending as a short text. */
export const verdictOf = ({ sink }: Decision): string => (sink ? endingName(sink) : 'go on');

/**
 * The other decision in the words of the time of the recorded one: before it was said whether passed checks are enough,
 * no success says it.
 */
function asRecorded(recorded: Decision, other: Decision): Decision {
  const [then, now] = [verifiedIn(recorded), verifiedIn(other)];
  if (!then || !now || then.enough !== undefined) return other;
  const { enough: _, ...verified } = now;
  return { ...other, sink: { ...other.sink, verified } as Outcome };
}

const verifiedIn = ({ sink }: Decision) => (sink?.ending === 'success' ? sink.verified : null);
