import type { FlickeringTests } from '../../../machines/recorded-proof.ts';
import { basedOn } from '../../evidence/base-tests.ts';
import type { ReportedTests } from '../../evidence/tests-of-checks.ts';
import { disputesWith, NO_DISPUTES, type PastDisputes } from '../../evidence/dispute.ts';
import { knownFlickering } from '../../evidence/flicker-tests.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import type { AppHost } from '../app-host.ts';
import type { Baseline } from '../../verification/work-proof.ts';

/** What a run has recorded that decides which tests its work has to pass. */
export interface RecordedDemands {
  /** The tests of its start, where its checks ran on this tree before any work. */
  readonly reported: ReportedTests;
  readonly flickering: readonly FlickeringTests[];
  /** Tests that turned by themselves in earlier runs. */
  readonly ledger: readonly FlickeringTests[];
  /** The results of its checks on its start, in whatever tree. Null: they did not run. */
  readonly baseline: Baseline | null;
  readonly disputes: PastDisputes;
}

/** Reads it from the log of a run that began with this tree. */
export async function recordedDemands(
  { log, definitions }: Pick<AppHost, 'log' | 'definitions'>,
  run: string,
  start: string,
): Promise<RecordedDemands> {
  let baseline: Baseline | null = null;
  let disputes = NO_DISPUTES;
  for await (const fact of readableFacts(log, run, definitions)) {
    if (fact.type === 'baseline.taken') baseline = fact.payload;
    if (fact.type === 'verification.completed' || fact.type === 'grounds.approved' || fact.type === 'grounds.denied')
      disputes = disputesWith(disputes, fact);
  }
  const { tests = [] } = baseline ?? {};
  return {
    reported: basedOn(baseline?.workspace === start ? tests : []),
    flickering: baseline ? knownFlickering(baseline) : [],
    ledger: baseline?.ledger ?? [],
    disputes,
    baseline,
  };
}
