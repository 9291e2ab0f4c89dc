import { gradedChecks } from '../../evidence/grade.ts';
import type { RecordedRuns } from '../records/runs-of-log.ts';
import { BECAUSE, worthOf } from '../../projections/grade-text.ts';
import { endingName } from '../../projections/phrases.ts';
import { readTimelineEntry } from '../../projections/read-timeline-entry.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { evidenceLines } from './evidence-lines.ts';
import type { EndingView, RunView } from './run-parts-view.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** How a run has ended, with the events that show it. Null: it has not. */
export async function endingView(
  { log, definitions }: Host,
  run: string,
  summary: RunSummary,
): Promise<EndingView | null> {
  const { ending, settings } = summary;
  if (!ending) return null;
  const evidence = await Promise.all(
    ending.evidence.map(async (id) => {
      const [of = run, version = '1'] = id.split('/');
      const entry = await readTimelineEntry(log, { run: of, version: Number(version) }, definitions);
      return entry ? [{ id, at: entry.at, type: entry.type, text: shownText(entry.text, MAX_LINE_CHARS) }] : [];
    }),
  );
  const { version, at, outcome, reason } = ending;
  const words = endingName(outcome, settings.checks.length > 0);
  return { kind: outcome.ending, words, reason: shownText(reason), version, at, evidence: evidence.flat() };
}

/** What the newest checks rest on, and what could not be seen. */
export function evidenceOf(summary: RunSummary): Pick<RunView, 'evidence' | 'unseen'> {
  const { verification, settings, checkCost } = summary;
  if (!verification) return { evidence: [], unseen: [] };
  const { shortfall, approval } = worthOf(summary);
  const lines = evidenceLines(verification, { shortfall, approval, cost: checkCost }, settings.checks);
  const because = verification.passed ? (gradedChecks(verification)?.because ?? []) : [];
  return {
    evidence: lines.slice(1).map((line) => shownText(line.trim(), MAX_LINE_CHARS)),
    unseen: because.map((one) => BECAUSE[one]),
  };
}
