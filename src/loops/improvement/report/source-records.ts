import type { DiscoverySource } from '../../../../machines/improvement-facts.ts';
import type { LastLook } from '../last-look.ts';
import type { Experiment } from './experiments.ts';
import type { Findings } from './findings.ts';

/** What one source of findings has given in a whole run. */
export interface SourceRecord {
  readonly source: DiscoverySource;
  /** Each finding counts once. */
  readonly found: number;
  readonly tried: number;
  readonly kept: number;
  /** In how many iterations it could not be read, and why the last time. */
  readonly failures: number;
  readonly fault: string | null;
}

/** What was not tried of the findings of the last iteration that searched: the next one finds it again. */
export interface LastSearch {
  readonly iteration: number;
  readonly belowMinimum: number;
  /** The highest score below the minimum. Null: nothing was below it, or a model gave the scores. */
  readonly best: number | null;
  /** Relevant enough, and more than one iteration tries. */
  readonly beyond: number;
}

/** The sources of a run, in the order in which they were first asked. */
export const sourceRecords = (findings: Findings, tried: readonly Experiment[]): readonly SourceRecord[] =>
  findings.sources().map(({ source, found, faults, fault }) => {
    const own = tried.filter(({ discovery }) => discovery.source === source);
    const kept = own.filter((one) => one.kept !== null).length;
    return { source, found: found.size, tried: own.length, kept, failures: faults, fault };
  });

/** The last search. Null: there was none. */
export function lastSearch({ iterations }: Findings, { best }: LastLook): LastSearch | null {
  const newest = iterations.at(-1);
  if (!newest) return null;
  const { iteration, refused, beyond } = newest;
  return { iteration, belowMinimum: refused, best, beyond };
}
