import { type Draft, produce } from 'immer';
import { type ChangedFile, type CiResult, type EventOf, type LevelResult, lostAttempt } from '../../machines/events.ts';
import { type Finding, NO_SPEND, type Outcome, type Spend } from '../../machines/outcome.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { additionsOf } from './loop-in-view.ts';

/** One round of a run. What has not happened yet is null. */
export interface RoundRow {
  /** 0-based. */
  readonly iteration: number;
  /** 1-based: its number for people, who may have changed it. Absent: one more than `iteration`. */
  readonly shownAs?: number;
  readonly startedAt: string;
  /** From its start to the newest decision on it, without the idle time. */
  readonly durationMs: number | null;
  /** Idle time in it: paused, between a crash and the resumption, before a continuation. Absent where there is none. */
  readonly idleMs?: number;
  /** The child run of its attempt, and the outcome of that run. */
  readonly child: string | null;
  readonly attempt: Outcome | null;
  /** Why the result of the attempt is unknown. */
  readonly interrupted: string | null;
  readonly answer: string;
  readonly spend: Spend;
  readonly changed: readonly ChangedFile[];
  /** Tree hash of its work, and the git reference that keeps it. */
  readonly workspace: string | null;
  readonly ref: string | null;
  readonly passed: boolean | null;
  readonly levels: readonly LevelResult[];
  /** Null where the CI was not asked. */
  readonly ci: CiResult | null;
  readonly decision: RoundDecision | null;
  /** The newest remarks from the loop's own events. Absent where there are none. */
  readonly remarks?: readonly string[];
}

/** The number of a round for people. */
export const roundNumber = ({ iteration, shownAs }: RoundRow): number => shownAs ?? iteration + 1;

/** The rounds with the number that people know the newest by. */
export function numberedRounds(rows: readonly RoundRow[], number: number): readonly RoundRow[] {
  const row = rows.at(-1);
  if (!row || roundNumber(row) === number) return rows;
  return [...rows.slice(0, -1), { ...row, shownAs: number }];
}

export interface RoundDecision {
  readonly version: number;
  readonly action: 'continue' | 'stop';
  readonly reason: string;
  /** Metadata that the strategy stores for later decisions. */
  readonly metadata: Metadata;
  /** The findings of detectors. */
  readonly findings: readonly Finding[];
}

type Metadata = NonNullable<EventOf<'decision.made'>['payload']['strategy']>['metadata'];

const MAX_REMARKS = 8;

/**
 * The rounds of a run after one more fact. Without the loop's definition there are none: only it says which fact begins
 * a round.
 *
 * @example
 * let rows: readonly RoundRow[] = [];
 * for await (const envelope of log.read(run)) rows = roundTable(rows, factOf(envelope), loop);
 */
export function roundTable(rows: readonly RoundRow[], fact: Fact, loop: LoopDefinition | null): readonly RoundRow[] {
  // A loop without rows has the longest runs.
  return rows.length > 0 || begins(fact, loop) ? changed(rows, fact, loop) : rows;
}

const begins = ({ type }: Fact, loop: LoopDefinition | null): boolean =>
  loop !== null && loop.describe.rows !== false && type === loop.rounds.started;

const changed = produce((rows: Draft<RoundRow>[], fact: Fact, loop: LoopDefinition | null): void => {
  if (begins(fact, loop)) {
    rows.push(begun(rows.length, fact.at));
    return;
  }
  const row = rows.at(-1);
  if (row) note(row, fact, loop);
}) as typeof roundTable;

function note(row: Draft<RoundRow>, fact: Fact, loop: LoopDefinition | null): void {
  row.interrupted = lostAttempt(fact) ?? row.interrupted;
  const { remark } = additionsOf(fact, loop);
  if (remark !== undefined) row.remarks = [...(row.remarks ?? []), remark].slice(-MAX_REMARKS);
  switch (fact.type) {
    case 'run.resumed':
    case 'run.continued':
      row.idleMs = (row.idleMs ?? 0) + fact.payload.idleMs;
      break;
    case 'child.settled':
      if (fact.payload.callId !== undefined) break;
      row.child = fact.payload.child;
      row.attempt = fact.payload.outcome;
      row.answer = fact.payload.answer;
      row.spend = fact.payload.spend;
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
      row.durationMs = Math.max(0, Date.parse(fact.at) - Date.parse(row.startedAt) - (row.idleMs ?? 0));
      break;
    }
  }
}

const begun = (iteration: number, startedAt: string): Draft<RoundRow> => ({
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
