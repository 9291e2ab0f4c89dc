import { repeating, tierOf } from './tier.ts';

const FAR = 65_537;
const tier = tierOf(process.env, import.meta.dirname);

/** Of everything that chance decides in a test: another one for each commit, and for each tenth. */
export const seed = (tier.seed + FAR * ((tier.tenth ?? -1) + 1)) % 2 ** 31;

/** What is set in the environment to run the same tests again. */
export const again = repeating(tier);
