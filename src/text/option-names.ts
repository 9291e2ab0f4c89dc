/** Options with a flag of their own: the prompt is an argument, and one item of a list is one flag. */
const OWN_FLAGS: ReadonlyMap<string, string> = new Map([
  ['prompt', 'PROMPT'],
  ['checks', '--verify'],
  ['labels', '--label'],
  ['images', '--image'],
  ['permissions', '--permission'],
  ['webhooks', '--webhook'],
  ['homePaths', '--home-path'],
  ['heldOutChecks', '--held-out-verify'],
  ['wait', '--no-wait'],
  ['continues', '--continue'],
]);

/**
 * The flag that sets an option.
 *
 * @example
 * flagOf('maxSteps'); // '--max-steps'
 */
export const flagOf = (option: string): string => OWN_FLAGS.get(option) ?? `--${wordsIn(option).join('-')}`;

/**
 * The environment variable that sets an option.
 *
 * @example
 * environmentOf('maxSteps'); // 'LOOPFOLD_MAX_STEPS'
 */
export const environmentOf = (option: string): string => ['LOOPFOLD', ...wordsIn(option)].join('_').toUpperCase();

const wordsIn = (option: string) => option.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
