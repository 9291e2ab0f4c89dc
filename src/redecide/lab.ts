import type { Finding } from '../../machines/outcome.ts';
import type { DetectorChoice } from '../../machines/settings.ts';
import type { TraitsOf } from '../detectors/traits.ts';
import { builtInNames } from './other-judge.ts';
import { redecide } from './redecide.ts';
import type { Story } from './story.ts';

/** How well a detector tells loops from what only looks like one. */
export interface Score {
  readonly detector: string;
  /** Loops of its own in the corpus; in how many of them it said something, and in how many it blocked a call or ended the run. */
  readonly loops: number;
  readonly noticed: number;
  readonly ended: number;
  /** Everything in the corpus that is no loop, whichever detector it was told for, and where it blocked or ended all the same. */
  readonly lookalikes: number;
  readonly mistaken: readonly string[];
  /** Lookalikes in which it told the model something, and did no more. */
  readonly nudged: number;
  readonly missed: readonly string[];
  /** Of all in which it blocked a call or ended the run, the share of loops. Null where it never did. */
  readonly precision: number | null;
  /** Of its loops, the share that it noticed. Null where the corpus has none. */
  readonly recall: number | null;
}

/**
 * Lets detectors watch every story of a corpus. Each is scored on its own: loops told for another detector count neither
 * way, lookalikes count for all.
 */
export async function scored(stories: readonly Story[], detectors: readonly DetectorChoice[], traits: TraitsOf): Promise<Score[]> {
  const watched = await Promise.all(stories.map(async (story) => ({ story, levels: await levelsIn(story, detectors, traits) })));
  const names = builtInNames(traits).detectorsOf([...detectors]).map(({ name }) => name);
  return names.map((detector) => {
    const own = watched.filter(({ story }) => story.label === 'loop' && story.detector === detector);
    const alike = watched.filter(({ story }) => story.label === 'lookalike');
    const levelIn = ({ levels }: (typeof watched)[number]) => levels.get(detector) ?? 'observe';
    const intervenes = (one: (typeof watched)[number]) => ['block', 'stop'].includes(levelIn(one));
    const missed = own.filter((one) => levelIn(one) === 'observe');
    const ended = own.filter(intervenes);
    const mistaken = alike.filter(intervenes);
    return {
      detector,
      loops: own.length,
      noticed: own.length - missed.length,
      ended: ended.length,
      lookalikes: alike.length,
      mistaken: mistaken.map(titleOf),
      nudged: alike.filter((one) => levelIn(one) === 'nudge').length,
      missed: missed.map(titleOf),
      precision: share(ended.length, ended.length + mistaken.length),
      recall: share(own.length - missed.length, own.length),
    };
  });
}

const titleOf = ({ story: { detector, story, seed } }: { readonly story: Story }): string => `${detector}: ${story} ${seed}`;
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const LEVELS: readonly Finding['level'][] = ['observe', 'nudge', 'block', 'stop'];

/** The strongest that each detector had to say anywhere in a story. */
async function levelsIn(
  { runs, traits: own }: Story,
  detectors: readonly DetectorChoice[],
  traits: TraitsOf,
): Promise<ReadonlyMap<string, Finding['level']>> {
  const levels = new Map<string, Finding['level']>();
  const names = builtInNames((tool) => own[tool] ?? traits(tool));
  for (const facts of runs) {
    const { redecisions } = await redecide(facts, { detectors: [...detectors] }, names);
    for (const { detector, level } of redecisions.flatMap(({ other }) => other.findings ?? [])) {
      if (LEVELS.indexOf(level) > LEVELS.indexOf(levels.get(detector) ?? 'observe')) levels.set(detector, level);
    }
  }
  return levels;
}
