import type { GroundChange } from '../../../../machines/recorded-proof.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { GitCall } from '../../../git/process/git.ts';
import { textOf } from '../../../git/object-text.ts';
import { isAddedTest } from '../../../evidence/new-tests.ts';
import { fitsAllowed } from '../../../evidence/grounds-allowance.ts';
import { isFile } from '../../../evidence/tree-entry.ts';
import { onlyUnskips } from '../evaluation/only-unskips.ts';
import type { PlannedLegs } from '../../../verification/plan-legs.ts';
import type { Tier } from './candidate-tier.ts';

interface GroundsHow {
  readonly plan: Pick<PlannedLegs, 'changes' | 'base' | 'trees'>;
  readonly discovery: Discovery;
  /** Globs of grounds whose changes a person lets count. */
  readonly allowed: readonly string[];
}

const MAX_NAMED = 10;

/**
 * Whether a candidate leaves what checks rest on as it is. What it integrates is what the next candidates are measured
 * by, and no person looks at it before: it may add tests in new files, and make a skipped test run that it is about.
 */
export async function groundsTier({ plan, discovery, allowed }: GroundsHow, call: GitCall): Promise<Tier> {
  const isAllowed = fitsAllowed(allowed);
  const changed: GroundChange[] = [];
  for (const change of plan.changes) {
    if (isAddedTest(change) || isAllowed(change.path)) continue;
    if (discovery.source === 'skipped-tests' && (await isUnskipped(change, plan, call))) continue;
    changed.push(change);
  }
  const named = changed.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = changed.length > named.length ? ` and ${changed.length - named.length} more` : '';
  return {
    tier: 'grounds',
    kind: 'grounds',
    passed: changed.length === 0,
    detail:
      changed.length === 0
        ? 'tests and configuration that checks rest on are as they were'
        : `it changes what its checks rest on: ${named.join(', ')}${more}. New tests belong into new files`,
  };
}

/** Tests that lie in sources cannot be put back beside the work: where they are changed, the candidate is refused. */
export const changedInSources = (paths: readonly string[]): Tier => ({
  tier: 'grounds',
  kind: 'grounds',
  passed: false,
  detail: `it changes tests that lie in sources: ${paths.slice(0, MAX_NAMED).join(', ')}`,
});

async function isUnskipped(
  { path }: GroundChange,
  { base, trees: [, work] }: GroundsHow['plan'],
  call: GitCall,
): Promise<boolean> {
  const [before, after] = [base.get(path), work.get(path)];
  if (!isFile(before) || !isFile(after) || before.mode !== after.mode) return false;
  const [was, is] = await Promise.all([textOf(before.hash, call), textOf(after.hash, call)]);
  return was !== null && is !== null && onlyUnskips(was, is);
}
