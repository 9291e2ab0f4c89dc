import type { Span } from './code-groups.ts';

/** A test of a file, as a copy of it is made. */
export interface OwnTest {
  /** Where its text begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Where its name ends, and what stands between that and more of it. */
  readonly nameEnd: number;
  readonly joiner: ' ' | '_';
  /** The tokens in which it may say what it expects. */
  readonly body: Span;
  /** Where a copy goes, and what stands before it. */
  readonly at: number;
  readonly before: string;
}
