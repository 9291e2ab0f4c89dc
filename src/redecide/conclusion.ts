import type { RunSettings } from '../../machines/settings.ts';
import { isDecision, type Redecision, verdictOf } from './redecision.ts';
import { between, type Saving } from './saving.ts';

/**
 * The effect of the first different verdict: the run would have ended earlier, continued where the recording ended, or
 * ended differently.
 */
export type Conclusion = 'agrees' | 'stops_earlier' | 'goes_on' | 'ends_otherwise';

/** A recorded run, and what another judge would have decided over its facts. */
export interface Redecided {
  readonly run: string;
  readonly loop: RunSettings['loop'];
  readonly parent: RunSettings['parent'];
  /**
   * Child runs whose ending the run received. Each is judged by itself, so what another judge would have decided in
   * them is not included here: `loops.redecide` covers them.
   */
  readonly children: readonly string[];
  /** Whether the recording has the end of the run. */
  readonly hasEnded: boolean;
  /** Every recorded judgement, oldest first. */
  readonly redecisions: readonly Redecision[];
  readonly conclusion: Conclusion;
  /** The first decision with a different verdict, and that verdict. */
  readonly turn: {
    readonly version: number;
    readonly at: string;
    readonly after: number;
    readonly verdict: string;
  } | null;
  /**
   * The version from which the recording no longer shows what would have happened: the first different verdict,
   * different feedback for the model, or other refused calls. Null where it always does.
   */
  readonly differsFrom: number | null;
  /** Whether everything that the other judge would have caused after `differsFrom` is unknown. */
  readonly isOpen: boolean;
  /** What an earlier end would have saved; null without one. */
  readonly saved: Saving | null;
}

type Made = Pick<Redecided, 'run' | 'loop' | 'parent' | 'children' | 'hasEnded'>;

/** `used` is what the whole run has used. */
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
    isOpen:
      differsFrom !== null && (conclusion === 'goes_on' || conclusion === 'agrees' || differsFrom !== turning?.version),
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
