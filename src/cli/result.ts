import type { Outcome, Spend } from '../../machines/outcome.ts';
import type { IterationRow } from '../projections/iteration-table.ts';
import type { RunSummary } from '../projections/run-summary.ts';
import type { Complaint } from './complaint.ts';

/** The last line of `json` and `stream-json`, whatever happens: what a program needs to go on. */
export interface Result {
  readonly type: 'result';
  /** The exit status. */
  readonly exit: number;
  readonly run: string | null;
  readonly state: 'ended' | 'paused' | 'lost' | 'failed';
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  /** Ids (`RUN/version`) of the events that the ending rests on. */
  readonly evidence: readonly string[];
  readonly answer: string;
  readonly summary: string | null;
  readonly spend: Spend | null;
  readonly iterations: readonly IterationRow[];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly error: string | null;
  /** Commands to try next. */
  readonly next: readonly string[];
}

const NOTHING: Omit<Result, 'type' | 'exit' | 'state'> = {
  run: null,
  outcome: null,
  reason: null,
  evidence: [],
  answer: '',
  summary: null,
  spend: null,
  iterations: [],
  startedAt: null,
  endedAt: null,
  error: null,
  next: [],
};

/** What became of a run that was served to its end, or left on the way. */
export function resultOf(
  run: string,
  summary: RunSummary,
  { exit, state, next }: Pick<Result, 'exit' | 'state' | 'next'>,
): Result {
  const { ending, answer, text, spend, iterations, startedAt } = summary;
  return {
    type: 'result',
    exit,
    state,
    ...NOTHING,
    run,
    outcome: ending?.outcome ?? null,
    reason: ending?.reason ?? null,
    evidence: ending?.evidence ?? [],
    answer,
    summary: text,
    spend,
    iterations,
    startedAt,
    endedAt: state === 'ended' ? summary.at : null,
    next,
  };
}

/** Whether the run came to a success that its checks prove. */
export const isVerified = ({ outcome }: Pick<Result, 'outcome'>): boolean =>
  outcome?.ending === 'success' && outcome.verified !== null && !outcome.partial;

/** Where there is no run to speak of, or none that could be asked any more. */
export const failedResult = ({ status, message }: Complaint, run: string | null, next: readonly string[]): Result => ({
  type: 'result',
  exit: status,
  state: 'failed',
  ...NOTHING,
  run,
  error: message,
  next,
});

/** Told to stop twice: nothing was waited for. What the log holds is what happened. */
export const leftResult = (exit: number, run: string | null, next: readonly string[]): Result => ({
  type: 'result',
  exit,
  state: 'lost',
  ...NOTHING,
  run,
  error: 'stopped at once, before the run could record that it pauses',
  next,
});
