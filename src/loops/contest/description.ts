import type { AnyEvent, ContestEvent, Recorded } from '../../../machines/events.ts';
import type { Additions, ShownTable } from '../../kernel/loop-description.ts';
import { amount, grouped } from '../../text/money.ts';
import { describedAttempts } from '../attempt-loop.ts';
import { agentOfModel } from '../../../machines/agent-model.ts';
import type { ComparedAttempt, Measure } from '../../../machines/contest-facts.ts';

const COLUMNS = ['attempt', 'by', 'place', 'because', 'grade', 'tests of the start', 'checks', 'change'];

/** What is known of the work of an attempt, as one line. */
function attemptLine(lane: string, { stands, grade, checks, tests, change }: Measure): string {
  const worth = stands ? (grade ?? 'not checked') : 'does not stand';
  const counted =
    checks.passed + checks.failed > 0 ? [`${checks.passed} of ${checks.passed + checks.failed} checks`] : [];
  const named = tests.passed + tests.lost > 0 ? [testsText(tests)] : [];
  return [`attempt ${lane}: ${worth}`, ...counted, ...named, changeText(change)].join(', ');
}

/** A comparison of attempts as a table, the best first. */
const comparedTable = (attempts: readonly ComparedAttempt[]): ShownTable => ({
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

/** An event of a contest as one line. Null: it is an event of every loop. */
function lineOf({ type, payload }: Recorded<ContestEvent>): string | null {
  switch (type) {
    case 'iteration.started':
      return `attempt ${payload.iteration + 1}`;
    case 'attempt.prepared':
      return `attempt ${payload.lane} has a worktree of its own`;
    case 'attempt.refused':
      return `attempt ${payload.lane} cannot begin: ${payload.fault.message}`;
    case 'attempt.measured':
      return attemptLine(payload.lane, payload.measure);
    case 'attempts.compared':
      return `${payload.isDecided ? 'decided: ' : ''}${payload.because}`;
    case 'winner.brought':
      return `the change of attempt ${payload.lane} is in the workspace: ${amount(payload.changed, 'file')}`;
    case 'winner.refused':
      return payload.fault.message;
    default:
      return null;
  }
}

/** How people read a contest. */
export const contestDescription = {
  ...describedAttempts({ line: (event) => lineOf(event as Recorded<ContestEvent>) }),
  round: 'attempt',
  rows: false as const,
  child: 'its run',
  answer: 'reason' as const,
  adds: (event: Recorded<AnyEvent>): Additions => {
    const { type, payload } = event as Recorded<ContestEvent>;
    return type === 'attempts.compared' && payload.isDecided ? { table: comparedTable(payload.attempts) } : {};
  },
};
