import { type Draft, produce } from 'immer';
import type { ChangedFile, CiResult, EventOf, LevelResult } from '../../machines/events.ts';
import { type Finding, NO_SPEND, type Outcome, type Spend } from '../../machines/outcome.ts';
import type { Fact } from '../runtime/cast.ts';

/** What became of one iteration. Whatever has not happened yet is null. */
export interface IterationRow {
  /** 0-based. */
  readonly iteration: number;
  readonly startedAt: string;
  /** Until the decision on it. */
  readonly durationMs: number | null;
  /** The run that was its attempt, and how that run ended. */
  readonly child: string | null;
  readonly attempt: Outcome | null;
  /** Why nobody knows how the attempt went. */
  readonly interrupted: string | null;
  readonly answer: string;
  readonly spend: Spend;
  readonly changed: readonly ChangedFile[];
  /** Tree hash of the work it left, and the git reference that keeps it. */
  readonly workspace: string | null;
  readonly ref: string | null;
  readonly passed: boolean | null;
  readonly levels: readonly LevelResult[];
  /** Null where it was not asked. */
  readonly ci: CiResult | null;
  readonly decision: IterationDecision | null;
}

export interface IterationDecision {
  readonly version: number;
  readonly action: 'continue' | 'stop';
  readonly reason: string;
  /** What the strategy keeps of it for later, in its own words. */
  readonly metadata: Metadata;
  /** What detectors noticed. */
  readonly findings: readonly Finding[];
}

type Metadata = NonNullable<EventOf<'decision.made'>['payload']['strategy']>['metadata'];

/**
 * The iterations of a run after one more of its facts.
 *
 * @example
 * let rows: readonly IterationRow[] = [];
 * for await (const envelope of log.read(run)) rows = iterationTable(rows, factOf(envelope));
 */
export const iterationTable = produce((rows: Draft<IterationRow>[], fact: Fact): void => {
  if (fact.type === 'iteration.started') {
    rows.push(begun(fact.payload.iteration, fact.at));
    return;
  }
  const row = rows.at(-1);
  if (row) note(row, fact);
}) as (rows: readonly IterationRow[], fact: Fact) => readonly IterationRow[];

function note(row: Draft<IterationRow>, fact: Fact): void {
  switch (fact.type) {
    case 'child.settled':
      row.child = fact.payload.child;
      row.attempt = fact.payload.outcome;
      row.answer = fact.payload.answer;
      row.spend = fact.payload.spend;
      break;
    case 'effect.interrupted':
      if (fact.payload.actor === 'agent') row.interrupted = fact.payload.reason;
      break;
    case 'workspace.captured':
      row.changed = fact.payload.changed;
      row.workspace = fact.payload.hash;
      row.ref = fact.payload.ref;
      break;
    case 'verification.completed':
      row.passed = fact.payload.levels.length > 0 ? fact.payload.passed : null;
      row.levels = fact.payload.levels;
      row.ci = fact.payload.ci ?? null;
      break;
    case 'decision.made': {
      const { action, reason, strategy, findings = [] } = fact.payload;
      row.decision = { version: fact.version, action, reason, metadata: strategy?.metadata ?? null, findings };
      row.durationMs = Math.max(0, Date.parse(fact.at) - Date.parse(row.startedAt));
      break;
    }
  }
}

const begun = (iteration: number, startedAt: string): Draft<IterationRow> => ({
  iteration,
  startedAt,
  durationMs: null,
  child: null,
  attempt: null,
  interrupted: null,
  answer: '',
  spend: NO_SPEND,
  changed: [],
  workspace: null,
  ref: null,
  passed: null,
  levels: [],
  ci: null,
  decision: null,
});
