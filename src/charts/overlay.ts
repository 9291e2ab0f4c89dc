/** What a run has done, or where it stands, to be shown on its chart. */
export interface ChartMarks {
  /** Paths of the states in which it is: `stream.asking` is in `stream` too. */
  readonly active?: readonly string[];
  /** How often each state was entered, by path. */
  readonly visits?: Readonly<Record<string, number>>;
  /** How often each transition was taken, by id. Where this is given, those that are missing were never taken. */
  readonly taken?: Readonly<Record<string, number>>;
}
