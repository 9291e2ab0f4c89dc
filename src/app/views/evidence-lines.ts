import type { CheckCost, RecordedProof } from '../../../machines/recorded-proof.ts';
import type { Check } from '../../../machines/settings.ts';
import { controlLines } from './control-lines.ts';
import { gradedChecks } from '../../evidence/grade.ts';
import { reportHints } from '../../evidence/report-hint.ts';
import { heldOutCount } from '../../evidence/held-out.ts';
import { approvalText, NO_WORTH, type SuccessWorth, gradeText } from '../../projections/grade-text.ts';
import { checkCostText } from '../../projections/check-cost.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { oneLine } from '../../projections/phrases.ts';
import { amount, grouped } from '../../text/money.ts';
import { namedLine, namedPaths, restedLines } from './surroundings-lines.ts';
import { unaskedText } from './text-of-unasked.ts';

const MAX_PATH_CHARS = 80;
const MAX_HINT_CHARS = 400;

type Checked = Pick<NonNullable<RunSummary['verification']>, 'passed' | 'proof' | 'ungraded'>;
type Said = Pick<SuccessWorth, 'shortfall' | 'approval'> & { readonly cost?: CheckCost | null };

/** What the newest checks rest on, and what that is worth. */
export function evidenceLines(
  { proof, ungraded, passed }: Checked,
  { shortfall, approval, cost = null }: Said = NO_WORTH,
  checks: readonly Check[] = [],
): readonly string[] {
  const graded = gradedChecks({ proof, ungraded });
  if (!graded) return [];
  if (!proof) return passed ? ['  evidence', `    ${gradeText(graded)}`] : [];
  const remedy = passed ? null : unaskedText(proof);
  return [
    '  evidence',
    ...(passed ? [`    ${gradeText(graded)}`] : []),
    ...(passed ? reportHints(checks, proof.unreported).map((hint) => `    ${oneLine(hint, MAX_HINT_CHARS)}`) : []),
    ...(shortfall === null ? [] : [`    ${shortfall}`]),
    ...(approval ? [`    ${approvalText(approval)}`] : []),
    ...(proof.repeated ? ['    as before: the same files were checked already'] : []),
    ...(proof.unchanged ? ['    nothing has changed since the run began'] : []),
    ...proof.tests.map(testsLine),
    ...indented(controlLines(proof)),
    ...heldOutLines(proof.heldOut),
    ...indented(restedLines(proof)),
    ...indented(namedLine('checks whose tests name no file', proof.unplaced)),
    `    grounds: ${groundsText(proof)}`,
    ...indented(namedLine('changed grounds that count, because the run was started to let them', proof.allowed)),
    ...inheritedLines(proof),
    ...(remedy === null ? [] : [`    ${remedy}`]),
    ...indented(namedLine('written to while the checks ran', proof.touched)),
    `    walls: ${proof.walls === 'full' ? 'full' : `none (${proof.wallsMissing ?? 'unknown'})`}`,
    ...(cost ? [`    ${checkCostText(cost)}`] : []),
  ];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `    ${line}`);

const inheritedLines = ({ inherited = [] }: RecordedProof): readonly string[] =>
  inherited.length === 0
    ? []
    : [`    changed by an earlier run, and approved by no person: ${namedPaths(inherited, inherited.length)}`];

/** Which of them fail is not in the log: the agent may read it. */
function heldOutLines(heldOut: RecordedProof['heldOut']): readonly string[] {
  if (!heldOut) return [];
  const { failed, replaced } = heldOut;
  return [
    `    ${heldOutCount(heldOut)}${failed > 0 ? '; which: loopfold prove RUN' : ''}`,
    ...(replaced > 0 ? [`    held-out files were in place of ${amount(replaced, 'file')} of the work`] : []),
  ];
}

function testsLine({ check, turnedCount, kept, fresh, lostCount }: RecordedProof['tests'][number]): string {
  const counts = [
    `${grouped(turnedCount)} from failing to passing`,
    `${grouped(kept)} pass as before`,
    ...(fresh > 0 ? [`${grouped(fresh)} new`] : []),
    ...(lostCount > 0 ? [`${grouped(lostCount)} lost`] : []),
  ];
  return `    tests of ${oneLine(check, MAX_PATH_CHARS)}: ${counts.join(', ')}`;
}

function groundsText({ grounds, groundsChanged, allowed = [] }: RecordedProof): string {
  if (groundsChanged === 0) return `${allowed.length > 0 ? 'the others ' : ''}as they were when the run began`;
  const all = namedPaths(
    grounds.map(({ path }) => path),
    groundsChanged,
  );
  return `${amount(groundsChanged, 'change')}, each of them left out of the first leg: ${all}`;
}
