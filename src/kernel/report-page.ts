import type { AnyEvent } from '../../machines/events.ts';
import type { FactOf } from './effect-handlers.ts';

/** A report on a run, as data: pages draw it as Markdown or as HTML. Its texts are plain, and of any length. */
export interface ReportPage {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The numbers that a reader looks for first. */
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | Table
  | Bars
  | Line
  | Patch;

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly tone?: Tone;
}

export type Tone = 'good' | 'bad' | 'quiet';

/** Rows without a cell for each column end early. */
export interface Table {
  readonly kind: 'table';
  readonly columns: readonly { readonly name: string; readonly isNumber?: true }[];
  readonly rows: readonly (readonly Cell[])[];
}

/** `code`: a name for programs, such as a commit. */
export type Cell = string | { readonly text: string; readonly tone?: Tone; readonly code?: true };

/** A bar for each group, with a part for each name. */
export interface Bars {
  readonly kind: 'bars';
  readonly title: string;
  /** What the values count: `tokens`. */
  readonly unit: string;
  /** What a group is: `iteration`. */
  readonly group: string;
  readonly parts: readonly string[];
  readonly groups: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** An amount that grows over time, and stands still between its points. */
export interface Line {
  readonly kind: 'line';
  readonly title: string;
  readonly unit: string;
  /** `atMs`: since the beginning. */
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
}

/** A change of files. `id` is one of the changes that the report has asked for. */
export interface Patch {
  readonly kind: 'patch';
  readonly title: string;
  /** A command that shows the change. */
  readonly command: string;
  readonly id: string;
}

/** The difference of two trees, by their hashes, in the repository of the run. */
export interface ShownChange {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** A report that is folded from the facts of one run. */
export interface ReportFold {
  /** Called with every fact of its run once, in order. */
  observe(fact: FactOf<AnyEvent>): void;
  report(): ReportPage;
  /** The changes that patches of the report are about. */
  changes(): readonly ShownChange[];
}
