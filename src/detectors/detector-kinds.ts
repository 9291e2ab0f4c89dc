import type { DetectorKind } from './detector-kind.ts';
import * as list from './detector-list.ts';

/** `D2a` before `D10`. By hand: a collator takes 10 ms or more of every start. */
const numberOf = (row: string): number => Number.parseInt(row.slice(1), 10);
const byRow = (one: string, other: string): number =>
  numberOf(one) - numberOf(other) || (one < other ? -1 : Number(one > other));

/** Every detector that comes with the library, in the order of the guide: D0, D1a … D15. */
export const DETECTOR_KINDS: readonly DetectorKind[] = Object.values(list).toSorted((one, other) =>
  byRow(one.row, other.row),
);

/** Those whose findings say what happened, and not that a run goes in circles. */
export const REPORTING_DETECTORS: ReadonlySet<string> = new Set(
  DETECTOR_KINDS.filter(({ reports }) => reports).map(({ name }) => name),
);

/** Those that refuse a call before they end a run. */
export const CLIMBING_DETECTORS: ReadonlySet<string> = new Set(
  DETECTOR_KINDS.filter(({ climbs }) => climbs).map(({ name }) => name),
);

export const DETECTOR_NAMES: readonly string[] = DETECTOR_KINDS.map(({ name }) => name);
