import type { RunSettings } from '../../machines/settings.ts';
import { isDecision, type Redecision, verdictOf } from './redecision.ts';
import { between, type Saving } from './saving.ts';

/** What the first other verdict comes to: it would have ended before, gone on where the recording ended, or ended otherwise. */
export type Conclusion = 'agrees' | 'stops_earlier' | 'goes_on' | 'ends_otherwise';

/** A recorded run, and what another judge would have decided over its facts. */
export interface Redecided {
  readonly run: string;
  readonly loop: RunSettings['loop'];
  readonly parent: RunSettings['parent'];
  /**
   * Runs that it opened and heard the end of. They were judged for themselves, so what another judge would have decided in them is
   * not in here: `loops.redecide` asks about them too.
   */
  readonly children: readonly string[];
  /** The recording holds the run's end. */
  readonly hasEnded: boolean;
  /** Every recorded judgement, oldest first. */
  readonly redecisions: readonly Redecision[];
  readonly conclusion: Conclusion;
  /** The first decision with another verdict, and the verdict. */
  readonly turn: { readonly version: number; readonly at: string; readonly after: number; readonly verdict: string } | null;
  /**
   * The version from which on the recording is no longer what would have been: the first other verdict, other words for
   * the model, or other calls refused. Null where there is none.
   */
  readonly differsFrom: number | null;
  /** Whether nothing at all is known of what the other judge would have led to beyond `differsFrom`. */
  readonly isOpen: boolean;
  /** What would not have been used where it stops earlier; null where it does not. */
  readonly saved: Saving | null;
}

type Made = Pick<Redecided, 'run' | 'loop' | 'parent' | 'children' | 'hasEnded'>;

/** `used`: what the whole run has used. */
export function concluded(made: Made, redecisions: readonly Redecision[], used: Saving): Redecided {
  const turning = redecisions.filter(isDecision).find(({ agrees }) => !agrees);
  const conclusion = conclusionOf(turning);
  const differsFrom = redecisions.find(({ leadsToTheSame }) => !leadsToTheSame)?.version ?? null;
  return {
    ...made,
    redecisions,
    conclusion,
    turn: turning ? placeOf(turning) : null,
    differsFrom,
    isOpen: differsFrom !== null && (conclusion === 'goes_on' || conclusion === 'agrees' || differsFrom !== turning?.version),
    saved: conclusion === 'stops_earlier' && turning ? between(turning.used, used) : null,
  };
}

type Turning = Extract<Redecision, { kind: 'decision' }>;

function conclusionOf(turning: Turning | undefined): Conclusion {
  if (!turning) return 'agrees';
  if (turning.recorded.action === 'continue') return 'stops_earlier';
  return turning.other.action === 'continue' ? 'goes_on' : 'ends_otherwise';
}

const placeOf = ({ version, at, after, other }: Turning) => ({
  version,
  at,
  after,
  verdict: verdictOf(other),
});
