/** Where the command line has its own word: the prompt is an argument, and one check is one `--verify`. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['prompt', 'PROMPT'],
  ['checks', '--verify'],
]);

/**
 * The flag that sets an option.
 *
 * @example
 * flagOf('maxSteps'); // '--max-steps'
 */
export const flagOf = (option: string): string => SPOKEN.get(option) ?? `--${words(option).join('-')}`;

/**
 * The environment variable that sets an option.
 *
 * @example
 * environmentOf('maxSteps'); // 'LOOPFOLD_MAX_STEPS'
 */
export const environmentOf = (option: string): string => ['LOOPFOLD', ...words(option)].join('_').toUpperCase();

const words = (option: string) => option.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
