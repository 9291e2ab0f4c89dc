/** A name for the tests of one control, and two numbers for what they say. */
export interface ControlMark {
  /** A word that no other test has in its name. */
  readonly word: string;
  readonly numbers: readonly [one: number, other: number];
}

/** The names and numbers that tests are written with. */
export interface WriteMark {
  readonly label: (index: number) => string;
  readonly numbers: ControlMark['numbers'];
  /** No assertion of a known library is in the file. */
  readonly isBare: boolean;
}

/** A test of a file, written again: as it is, and with another value in the place of one that it expects. */
export interface TestPair {
  /** The assertion that the test makes, without names of values, such as `assert.equal`. */
  readonly form: string;
  /** A part of the name of the copy that is as the test. */
  readonly twin: string;
  /** A part of the name of the other one, which must fail where the first passes. */
  readonly changed: string;
}

/** The texts of a pair, and where in the file they go. */
export interface Copies extends TestPair {
  readonly at: number;
  readonly before: string;
  readonly texts: readonly string[];
}

/** Tests for a file, in its language. */
export interface WrittenTests {
  /** The head of a file that has nothing but those that must fail. */
  readonly preamble: string;
  /** Those that must fail, for the end of the file, each with a name of which its label is a part. */
  readonly failing: readonly string[];
  readonly copies: readonly Copies[];
  /** All of them. */
  readonly tests: readonly string[];
  /** They are a bare error, which goes by no assertion. */
  readonly isBare: boolean;
}

/** Writes them in the language of a file with this text. Null: it takes none. */
export type WriteTests = (
  text: string,
  label: (index: number) => string,
  numbers: ControlMark['numbers'],
) => WrittenTests | null;
