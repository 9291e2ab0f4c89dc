import type { CheckControl, FlickeringTests, GroundChange } from '../../../machines/recorded-proof.ts';
import type { CheckedTests } from '../../evidence/tests-of-checks.ts';
import type { JudgedControl } from '../../evidence/control/judge-control.ts';
import type { Doubt } from '../../evidence/proof-verdict.ts';
import type { Side } from '../changes/run-sides.ts';
import type { LegName } from '../../verification/proof-places.ts';
import type { RanHeldOut } from '../../verification/run-held-out.ts';
import type { RanTree } from '../../verification/check-tree.ts';

export interface ProvenLeg {
  readonly leg: LegName;
  /** The hash of the tree that was checked. */
  readonly tree: string;
  readonly passed: boolean;
  readonly levels: Readonly<RanTree['levels']>;
}

/** Tells whether what a run has left passes its checks, with what its checks rested on when it began. */
export interface Proof {
  readonly kind: 'proof';
  readonly run: string;
  readonly proven: boolean;
  /** Why it is not proven, the gravest reason first. */
  readonly doubts: readonly Doubt[];
  readonly base: Side;
  readonly work: Side;
  /** The checks, all levels, on what the run began with: which tests there were, and which failed. */
  readonly start: ProvenLeg;
  /** The tests of each check that has any, with the grounds of the start, against those of the start. */
  readonly tests: readonly CheckedTests[];
  /** Tests that flickered on the start, and that no work has to pass: they are not among `tests`. */
  readonly flickering: readonly FlickeringTests[];
  /**
   * The second is missing where the run changed no ground, so that both would be one tree, or was told to try no other.
   */
  readonly legs: readonly ProvenLeg[];
  /** What tests that must fail came to. Absent: something speaks against the work without it. */
  readonly control?: JudgedControl;
  /** The outcome of the control of each check. Absent: the same. */
  readonly controls?: readonly CheckControl[];
  /** Tests that turned without the work: they are not among those that turned. */
  readonly flaky?: readonly FlickeringTests[];
  /** Tests that turned with the work, and failed when it was checked again. */
  readonly unsteady?: readonly FlickeringTests[];
  /** Absent: the run had no held-out checks. */
  readonly heldOut?: ProvenHeldOut;
  readonly grounds: readonly GroundChange[];
  /** A person has let exactly these changes count: the first leg does not decide. */
  readonly approved: boolean;
  /** Changed grounds that count, because the run was started to let them, and the work rests on them. */
  readonly allowed: readonly string[];
  /** Changed grounds that `unprotect` alone releases. */
  readonly released: readonly string[];
  /** Repositories within the workspace: no capture has their files, and no leg. */
  readonly missing: readonly string[];
  /** What the checks could not reach: all of the machine but their checkout (`full`), or nothing. */
  readonly walls: { readonly kind: 'full' } | { readonly kind: 'none'; readonly because: string };
  readonly dependencies: ProofDependencies & { readonly trusted: boolean };
  /** Without walls: what leads from the copied dependencies into the workspace. At most 20. */
  readonly pointers: readonly string[];
  /** Provided files that are not what they were when the run began: no leg had them. */
  readonly providedChanged: readonly string[];
}

/** What held-out checks came to. `changed`: their files are not those of the run's start. */
export type ProvenHeldOut =
  | ({ readonly kind: 'ran' } & RanHeldOut)
  | { readonly kind: 'changed'; readonly because: string };

/** The installed dependencies that the legs get from the workspace. */
export interface ProofDependencies {
  readonly given: readonly string[];
  /** Files of them that changed since the run began. Null: that cannot be known here. */
  readonly changed: readonly string[] | null;
}
