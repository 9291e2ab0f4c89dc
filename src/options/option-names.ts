import { OPTION_ROWS } from './option-table.ts';

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
