/** A name for the tests of one control, and two numbers for what they say. */
export interface ControlMark {
  /** A word that no other test has in its name. */
  readonly word: string;
  readonly numbers: readonly [one: number, other: number];
}

/** Tests that must fail, in the language of a file. */
export interface MustFail {
  /** What a file needs that has nothing but them. */
  readonly preamble: string;
  /** Each with a name of which its label is a part. */
  readonly tests: readonly string[];
}

/** Writes them in the language of a file with this text. Null: it takes none. */
export type WriteTests = (
  text: string,
  label: (index: number) => string,
  numbers: ControlMark['numbers'],
) => MustFail | null;
