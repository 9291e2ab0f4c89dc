import { repeating, tierOf } from './tier.ts';

const FAR = 65_537;
const tier = tierOf(process.env);

/** Of everything that chance decides in a test: the same in `npm test`, another one for each slice. */
export const seed = (tier.seed + FAR * ((tier.tenth ?? -1) + 1)) % 2 ** 31;

/** What is set in the environment to run the same tests again. */
export const again = repeating(tier);
