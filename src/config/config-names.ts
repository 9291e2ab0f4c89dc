/** What a configuration file is called. */
export const CONFIG_NAMES = [
  'loopfold.config.ts',
  'loopfold.config.js',
  'loopfold.config.mjs',
  'loopfold.config.json',
] as const;
