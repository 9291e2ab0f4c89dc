import type { DetectorChoice } from '../../machines/settings.ts';
import { DETECTOR_KINDS } from './detector-kinds.ts';
import { leftOutBy } from './left-out.ts';
import { DEFAULT_DETECTORS, namesIn } from './profile.ts';

const IN_EVERY_RUN = DETECTOR_KINDS.filter(({ inEveryRun }) => inEveryRun).map(({ name }) => name);

/**
 * The detectors of a new run, from the user's choice. `identical-calls` is added unless the choice leaves it out, and
 * the profile `default` where the choice only leaves detectors out. The run records the result, so that it can be
 * judged again with the same detectors: a recorded choice is never completed.
 *
 * @example
 * completeChoice(['same-tool']); // ['same-tool', 'identical-calls']
 * completeChoice(['-monologue']); // ['-monologue', 'default']
 */
export function completeChoice(chosen: readonly DetectorChoice[] = DEFAULT_DETECTORS): DetectorChoice[] {
  const choice = fromDefault(chosen);
  const mentioned = new Set([...choice.flatMap(namesIn), ...chosen.flatMap((one) => leftOutBy(one) ?? [])]);
  return [...choice, ...IN_EVERY_RUN.filter((name) => !mentioned.has(name))];
}

/** A choice that only leaves detectors out leaves them out of the profile `default`. */
export function fromDefault(chosen: readonly DetectorChoice[]): DetectorChoice[] {
  const onlyLeavesOut = chosen.length > 0 && chosen.every((one) => leftOutBy(one) !== null);
  return onlyLeavesOut ? [...chosen, ...DEFAULT_DETECTORS] : [...chosen];
}
