/** The form of the text of a flag or a variable: names are separated by commas, items of `lines` stand on lines. */
export type TextKind = 'text' | 'names' | 'lines' | 'json' | 'names or json' | 'lines or json' | 'text or json';

/**
 * Everything about an option but its schema, which stands in `RunOptions` or `Config`: a row that lacks a field, and a
 * schema without a row, do not compile.
 */
export interface OptionRow {
  /** The placeholder of the value in a flag; empty for a flag without one. */
  readonly value: string;
  /** For the help, the JSON schema and the table of the guide. */
  readonly means: string;
  /** The flag, where it is not `--` and the name. */
  readonly flag?: `--${string}`;
  readonly short?: `-${string}`;
  /** `text` where it is not given. */
  readonly form?: TextKind;
  /** Each use of the flag adds one to a list. Options whose form is `lines` repeat, too. */
  readonly repeats?: true;
  /** The short help of `run` shows it. */
  readonly isCommon?: true;
  /** Without a proof it would be a fault, or not used. */
  readonly isOfProof?: true;
  /** Null where there is none, or where it depends on the loop or on other options. */
  readonly default: unknown;
  /**
   * It decides when work counts, what a model may do, or what a run may cost: a change since the last use is shown to
   * the user before it counts.
   */
  readonly decides: boolean;
  /**
   * An untrusted file may set it: it sends nothing elsewhere, shows no secret, and runs nothing that a model with a
   * shell in the same folder would not run anyway. `by value`: only with the values that the rules of trust name.
   */
  readonly harmless: boolean | 'by value';
  /** The settings of a recorded run lead to it: a run that continues another has it, too. */
  readonly recorded: boolean;
}

export type OptionRows = Readonly<Record<string, OptionRow>>;
