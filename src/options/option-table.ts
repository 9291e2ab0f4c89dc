import { AGENT_OPTIONS } from './agent-options.ts';
import { CHECK_OPTIONS } from './check-options.ts';
import { CONTEST_OPTIONS, ENDING_OPTIONS } from './ending-options.ts';
import { LIMIT_OPTIONS } from './limit-options.ts';
import { MODEL_OPTIONS } from './model-options.ts';
import type { OptionRow } from './option-row.ts';
import { OUTPUT_OPTIONS } from './output-options.ts';
import { PLACE_OPTIONS } from './place-options.ts';
import { PROOF_OPTIONS } from './proof-options.ts';
import { TASK_OPTIONS } from './task-options.ts';

/** Options that belong together, in the help and in the guide. */
export const OPTION_GROUPS = {
  Task: TASK_OPTIONS,
  Model: MODEL_OPTIONS,
  Agent: AGENT_OPTIONS,
  'Attempts that compete': CONTEST_OPTIONS,
  Limits: LIMIT_OPTIONS,
  Checks: CHECK_OPTIONS,
  'Proof of the work': PROOF_OPTIONS,
  'When to continue and when to stop': ENDING_OPTIONS,
  'Where commands run': PLACE_OPTIONS,
  'Output and log': OUTPUT_OPTIONS,
};

const ROWS = {
  ...TASK_OPTIONS,
  ...MODEL_OPTIONS,
  ...AGENT_OPTIONS,
  ...CONTEST_OPTIONS,
  ...LIMIT_OPTIONS,
  ...CHECK_OPTIONS,
  ...PROOF_OPTIONS,
  ...ENDING_OPTIONS,
  ...PLACE_OPTIONS,
  ...OUTPUT_OPTIONS,
};
type Rows = typeof ROWS;

/** The name of an option, in a file and in code. */
export type Option = keyof Rows;
/** The options whose `Field` has this value. */
export type OptionWith<Field extends keyof OptionRow, Value> = {
  [option in Option]: Rows[option] extends { readonly [field in Field]: Value } ? option : never;
}[Option];

/** One row an option, in the order of the help. */
export const OPTION_ROWS: Readonly<Record<Option, OptionRow>> = ROWS;
export const OPTIONS = Object.keys(ROWS) as readonly Option[];

/** Returns the options whose rows a rule fits. */
export const optionsThat = (fits: (row: OptionRow) => boolean): readonly Option[] =>
  OPTIONS.filter((option) => fits(OPTION_ROWS[option]));

/** Returns the name of the group that an option is in. */
export function groupOf(option: Option): string {
  const [name = ''] = Object.entries(OPTION_GROUPS).find(([, rows]) => option in rows) ?? [];
  return name;
}

const FLAGS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPTION_ROWS).flatMap(([option, { flag }]) => (flag === undefined ? [] : [[option, flag] as const])),
  // Two options of code alone, which the command line has in its own way.
  ['prompt', 'PROMPT'],
  ['continues', '--continue'],
]);

/**
 * The flag that sets an option.
 *
 * @example
 * flagOf('maxSteps'); // '--max-steps'
 */
export const flagOf = (option: string): string => FLAGS.get(option) ?? `--${wordsIn(option).join('-')}`;

/**
 * The environment variable that sets an option.
 *
 * @example
 * environmentOf('maxSteps'); // 'LOOPFOLD_MAX_STEPS'
 */
export const environmentOf = (option: string): string => ['LOOPFOLD', ...wordsIn(option)].join('_').toUpperCase();

const wordsIn = (option: string) => option.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
