import { agentOfModel } from '../../../machines/agent-model.ts';
import type { ComparedAttempt, Measure } from '../../../machines/contest-facts.ts';
import type { ShownTable } from '../../kernel/loop-description.ts';
import { amount, grouped } from '../../text/amount.ts';

const COLUMNS = ['attempt', 'by', 'place', 'because', 'grade', 'tests of the start', 'checks', 'change'];

/** What is known of the work of an attempt, as one line. */
export function attemptLine(lane: string, { stands, grade, checks, tests, change }: Measure): string {
  const worth = stands ? (grade ?? 'not checked') : 'does not stand';
  const counted =
    checks.passed + checks.failed > 0 ? [`${checks.passed} of ${checks.passed + checks.failed} checks`] : [];
  const named = tests.passed + tests.lost > 0 ? [testsText(tests)] : [];
  return [`attempt ${lane}: ${worth}`, ...counted, ...named, changeText(change)].join(', ');
}

/** A comparison of attempts as a table, the best first. */
export const comparedTable = (attempts: readonly ComparedAttempt[]): ShownTable => ({
  columns: COLUMNS,
  rows: attempts.map(({ lane, model, place, because, measure }) => [
    lane,
    agentOfModel(model) ?? model,
    place === 'leads' ? 'won' : place,
    because,
    measure?.grade ?? '-',
    measure && measure.tests.passed + measure.tests.lost > 0 ? testsText(measure.tests) : '-',
    measure ? `${measure.checks.passed} of ${measure.checks.passed + measure.checks.failed}` : '-',
    measure ? changeText(measure.change) : '-',
  ]),
});

const testsText = ({ passed, turned, lost }: Measure['tests']): string =>
  [
    `${grouped(passed)} pass`,
    ...(turned > 0 ? [`${grouped(turned)} turned`] : []),
    ...(lost > 0 ? [`${grouped(lost)} lost`] : []),
  ].join(', ');

const changeText = ({ files, lines }: Measure['change']): string =>
  files === 0 ? 'nothing changed' : `${amount(files, 'file')}, ${amount(lines, 'line')}`;
