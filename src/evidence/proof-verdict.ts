import { type CheckedTests, hasLostTests, lacksReport } from './tests-of-checks.ts';

/** How a leg of a proof went. */
export interface LegResult {
  readonly passed: boolean;
}

export interface ProofFacts {
  /** The work with the grounds of the start, and the work as it is; the second is absent where both are one tree. */
  readonly legs: readonly [first: LegResult, second?: LegResult];
  /** The tests of each check, against those of the start. */
  readonly tests: readonly CheckedTests[];
  /** Installed dependencies that changed since the run began, unless they are taken as they are. */
  readonly changedDependencies: number;
  /** Ways out of a copy into the workspace. */
  readonly pointersHome: number;
  /** Provided files that are not what they were when the run began. */
  readonly providedChanged: number;
  /** Grounds that the work wrote to while its checks ran, and its start did not. */
  readonly touched: number;
  /** A person has let the changes of grounds count that the second leg passes with: the first does not decide. */
  readonly approved?: boolean;
  /** Checks of which a test turned with the work, and failed when it was checked again. Absent: none was. */
  readonly unsteady?: number;
  /** Files of which tests that must fail did not. Absent: none was asked to. */
  readonly brokenControls?: number;
  /** Held-out checks that fail, or whose files are not those of the start. Absent: none ran. */
  readonly heldOut?: 'passed' | 'failed' | 'changed';
}

/** Why the work is not proven, the gravest reason first. Empty: it is. */
export type Doubt =
  | 'base-leg'
  | 'work-leg'
  | 'lost-tests'
  | 'no-report'
  | 'touched'
  | 'unsteady'
  | 'control'
  | 'held-out'
  | 'held-out-changed'
  | 'provided'
  | 'dependencies'
  | 'pointers-home';

/** What speaks against the work. */
export function doubtsOf(facts: ProofFacts): readonly Doubt[] {
  const {
    legs: [first, second],
    tests,
    changedDependencies,
    pointersHome,
    providedChanged,
    touched,
    approved = false,
    unsteady = 0,
    brokenControls = 0,
    heldOut,
  } = facts;
  return [
    ...(first.passed || approved ? [] : ['base-leg' as const]),
    ...(second?.passed === false ? ['work-leg' as const] : []),
    ...(tests.some(hasLostTests) && !approved ? ['lost-tests' as const] : []),
    ...(tests.some(lacksReport) ? ['no-report' as const] : []),
    ...(touched > 0 ? ['touched' as const] : []),
    ...(unsteady > 0 ? ['unsteady' as const] : []),
    ...(brokenControls > 0 ? ['control' as const] : []),
    ...(heldOut === 'failed' ? ['held-out' as const] : []),
    ...(heldOut === 'changed' ? ['held-out-changed' as const] : []),
    ...(providedChanged > 0 ? ['provided' as const] : []),
    ...(changedDependencies > 0 ? ['dependencies' as const] : []),
    ...(pointersHome > 0 ? ['pointers-home' as const] : []),
  ];
}
