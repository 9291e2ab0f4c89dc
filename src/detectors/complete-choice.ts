import type { DetectorChoice } from '../../machines/settings.ts';
import { DEFAULT_DETECTORS } from '../config/defaults.ts';
import { leftOutBy } from './left-out.ts';
import { namesIn } from './profile.ts';

/** D0 watches every run that does not leave it out by name. */
const ALWAYS_ON = 'identical-calls';

/**
 * The detectors of a new run, from what its user has chosen: `identical-calls` as well, unless the choice leaves it out, and
 * the profile `default` where the choice does nothing but leave out. A run records the result, so that it can be judged
 * again as it was: nothing is added to a recorded choice.
 *
 * @example
 * completeChoice(['chant']); // ['chant', 'identical-calls']
 * completeChoice(['-monologue']); // ['-monologue', 'default']
 */
export function completeChoice(said: readonly DetectorChoice[] = DEFAULT_DETECTORS): DetectorChoice[] {
  const choice = fromDefault(said);
  const isSaid = said.some((one) => leftOutBy(one) === ALWAYS_ON) || choice.flatMap(namesIn).includes(ALWAYS_ON);
  return isSaid ? choice : [...choice, ALWAYS_ON];
}

/** A choice that only leaves out leaves out of the profile `default`. */
export function fromDefault(said: readonly DetectorChoice[]): DetectorChoice[] {
  const onlyLeavesOut = said.length > 0 && said.every((one) => leftOutBy(one) !== null);
  return onlyLeavesOut ? [...said, ...DEFAULT_DETECTORS] : [...said];
}
