import type { ResultType, PhaseCosts } from '../history/iteration-result.ts';
import type { ToldRun } from './night-run.ts';

/** One iteration that is over. */
export interface IterationRecord {
  /** From 1. */
  readonly number: number;
  readonly result: ResultType;
  /** The reason why it has no other result. */
  readonly error?: string;
  /** RFC 3339. */
  readonly endedAt: string;
  /** Without the time in which the run was paused or interrupted. */
  readonly durationMs: number;
  readonly found: number;
  /** Found again: tried before in this run. */
  readonly known: number;
  readonly belowMinimum: number;
  readonly tried: number;
  /** Absent where `costTracking` is off. */
  readonly tokens?: PhaseCosts;
  /** Billionths of a US dollar. Absent also where nothing had a price. */
  readonly costNanoUsd?: PhaseCosts;
}

/** The iterations of a run that are over, oldest first. */
export const iterationRecords = ({ history, experiments, findings, options }: ToldRun): readonly IterationRecord[] =>
  history.iterations().map(({ iterationNumber, type, error, timestamp, duration, cost, costNanoUsd }) => {
    const searched = findings.iterations.findLast(({ iteration }) => iteration === iterationNumber);
    return {
      number: iterationNumber,
      result: type,
      ...(error === undefined ? {} : { error }),
      endedAt: timestamp,
      durationMs: duration,
      found: searched?.found ?? 0,
      known: searched?.known ?? 0,
      belowMinimum: searched?.refused ?? 0,
      tried: experiments.tried.filter(({ iteration }) => iteration === iterationNumber).length,
      ...(options.costTracking ? { tokens: cost, ...(costNanoUsd ? { costNanoUsd } : {}) } : {}),
    };
  });
