/** How a leg of a proof went. */
export interface LegResult {
  readonly passed: boolean;
}

export interface ProofFacts {
  /** The work with the base's grounds, and the work as it is; the second is absent where both are one tree. */
  readonly legs: readonly [base: LegResult, work?: LegResult];
  /** Installed dependencies that changed since the run began, unless they are taken as they are. */
  readonly changedDependencies: number;
  /** Ways out of a copy into the workspace. */
  readonly pointersHome: number;
}

/** Why the work is not proven, the gravest reason first. Empty: it is. */
export type Doubt = 'base-leg' | 'work-leg' | 'dependencies' | 'pointers-home';

/** What speaks against the work. */
export function doubtsOf({ legs: [base, work], changedDependencies, pointersHome }: ProofFacts): readonly Doubt[] {
  return [
    ...(base.passed ? [] : ['base-leg' as const]),
    ...(work?.passed === false ? ['work-leg' as const] : []),
    ...(changedDependencies > 0 ? ['dependencies' as const] : []),
    ...(pointersHome > 0 ? ['pointers-home' as const] : []),
  ];
}
