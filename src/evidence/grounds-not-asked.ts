import type { RecordedProof } from '../../machines/recorded-proof.ts';
import { isAddedTest } from './new-tests.ts';

/**
 * Changed grounds with which the work was not tried, so no person was asked about them: a check failed with those of
 * the base, and the run was told to try no others. Earlier versions tried none, either, where a check failed that only
 * reads. Tests that were only added do not count: they keep no check from passing.
 */
export function unaskedGrounds(proof: RecordedProof | undefined): readonly string[] {
  if (!proof || proof.dispute || proof.unchanged) return [];
  const wasTried = proof.legs.some(({ leg }) => leg === 'work');
  const hasFailed = proof.legs.some(({ leg, passed }) => leg === 'base' && !passed);
  if (wasTried || !hasFailed) return [];
  return proof.grounds.filter((ground) => !isAddedTest(ground)).map(({ path }) => path);
}
