import type { Refusal, Unrecorded } from '../../evidence/judge-evidence.ts';
import type { RunEvidence } from '../../app/proof/evidence-of-run.ts';
import { BECAUSE } from '../../projections/grade-text.ts';
import { columns } from './table.ts';

const REFUSALS: { readonly [refusal in Refusal]: string } = {
  'checks-failed': 'checks failed',
  unchanged: 'nothing had changed, and all checks passed before',
  'lost-tests': 'tests that the run began with did not pass',
  'no-report': 'a test runner did not report to the end',
  control: 'tests that must fail did not',
  unsteady: 'tests passed with the work, and failed when it was checked again',
  touched: 'the work wrote to tests or configuration while its checks ran',
  'held-out': 'held-out checks failed',
};

const UNRECORDED: { readonly [what in Unrecorded]: string } = {
  verification: 'the checks that it rests on',
  'earlier-runs': 'whether earlier runs had changed tests or configuration',
  tools: 'whether programs that the checks start had changed',
  suppressions: 'whether compilers, linters or measures of coverage were silenced',
  'tests-in-sources': 'whether tests in files that are no grounds were changed',
  network: 'which checks had the network',
  control: 'whether each check reported an error that was added, and whether tests that turned did so twice',
  'held-out': 'how held-out checks went',
};

/** Runs as they were called then, and as the rules of today would call them: a line each. */
export function judgedEvidenceLines(runs: readonly RunEvidence[]): readonly string[] {
  const rows = runs.map((one) => [one.run, recordedText(one), todayText(one), whyText(one)]);
  return columns([['run', 'recorded', 'today', 'because'], ...rows]);
}

const recordedText = ({ recorded: { ending, grade } }: RunEvidence): string =>
  ending === null ? 'not ended' : [ending, ...(grade === null ? [] : [grade])].join(', ');

function todayText(one: RunEvidence): string {
  if (one.today === 'none') return '-';
  return one.today === 'unknown' && one.atMost !== null ? `unknown, at most ${one.atMost}` : one.today;
}

function whyText(one: RunEvidence): string {
  switch (one.today) {
    case 'none':
      return 'it claims no success';
    case 'unverified':
      return 'no checks passed on it';
    case 'refused':
      return one.because.map((refusal) => REFUSALS[refusal]).join('; ');
    case 'unknown':
      return [
        `not recorded: ${one.unrecorded.map((what) => UNRECORDED[what]).join('; ')}`,
        ...one.because.map((weakness) => BECAUSE[weakness]),
      ].join('; ');
    default:
      return one.because.map((weakness) => BECAUSE[weakness]).join('; ');
  }
}
