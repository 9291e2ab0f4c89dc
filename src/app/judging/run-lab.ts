import type { DetectorChoice } from '../../../machines/settings.ts';
import { builtinTools } from '../../actors/tools/builtin.ts';
import type { ConfigFault } from '../../options/config-fault.ts';
import { detectorsOf } from '../../detectors/profile.ts';
import type { TraitsOf } from '../../detectors/traits.ts';
import { type Score, scored } from '../../redecide/lab-stories.ts';
import type { Story } from '../../redecide/story.ts';

/** Scores detectors over stories, with the traits of the built-in tools. */
export const scoreStories = (stories: readonly Story[], detectors: readonly DetectorChoice[]): Promise<Score[]> =>
  scored(stories, detectors, builtInTraits());

/** Why detectors cannot be made of these choices; empty where they can. */
export function detectorFaults(detectors: readonly DetectorChoice[]): readonly ConfigFault[] {
  const chosen = detectorsOf(detectors, builtInTraits());
  return chosen.kind === 'refused' ? chosen.faults : [];
}

function builtInTraits(): TraitsOf {
  const traits = new Map(builtinTools().map((tool) => [tool.name, tool.traits ?? {}]));
  return (name) => traits.get(name) ?? {};
}
