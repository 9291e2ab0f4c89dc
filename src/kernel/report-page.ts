import type { AnyEvent } from '../../machines/events.ts';
import type { FactOf } from './effect-handlers.ts';

/**
 * The page of a report on a run, to be drawn as Markdown or on the page of the run. Its texts are of any length, and
 * drawn as plain text: markup in them is escaped.
 */
export interface ReportPage {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** A row for everything that the report is about, before its parts. Text alone leaves it out: the parts say it. */
  readonly overview?: Table;
}

/** A text, or its parts. A part for programs, such as a command or a commit, is drawn as code. */
export type Text = string | readonly (string | { readonly code: string })[];

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: Text }
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

export type Cell = Text | { readonly text: Text; readonly tone?: Tone };

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
  /** The same for programs, as JSON can have it: `--json` prints it, and the page is one view of it. */
  data(): object;
  /** The changes that patches of the report are about. */
  changes(): readonly ShownChange[];
}
