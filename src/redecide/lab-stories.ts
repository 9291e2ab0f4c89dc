import type { Finding } from '../../machines/outcome.ts';
import type { DetectorChoice } from '../../machines/settings.ts';
import type { TraitsOf } from '../detectors/traits.ts';
import { REPORTING_DETECTORS } from '../detectors/detector-kinds.ts';
import { builtInNames } from './other-judge.ts';
import { redecide } from './redecide-run.ts';
import type { Story } from './story.ts';

/** How well a detector distinguishes loops from lookalikes. */
export interface Score {
  readonly detector: string;
  /**
   * The detector's own loops in the corpus; those that it noticed; and those in which it blocked a call or ended the
   * run.
   */
  readonly loops: number;
  readonly noticed: number;
  readonly ended: number;
  /**
   * All lookalikes in the corpus, of every detector, and those in which it blocked a call or ended the run
   * nevertheless.
   */
  readonly lookalikes: number;
  readonly mistaken: readonly string[];
  /** Lookalikes in which it nudged the model, and no more. */
  readonly nudged: number;
  readonly missed: readonly string[];
  /** The share of loops among all stories in which it blocked a call or ended the run. Null where there are none. */
  readonly precision: number | null;
  /** The share of its own loops that it noticed. Null where the corpus has none. */
  readonly recall: number | null;
}

/**
 * Runs detectors over every story of a corpus. Each is scored by itself: loops of another detector count neither way,
 * lookalikes count for all.
 */
export async function scored(
  stories: readonly Story[],
  detectors: readonly DetectorChoice[],
  traits: TraitsOf,
): Promise<Score[]> {
  const watched = await Promise.all(
    stories.map(async (story) => ({ story, levels: await levelsIn(story, detectors, traits) })),
  );
  const names = builtInNames(traits)
    .detectorsOf([...detectors])
    .map(({ name }) => name)
    .filter((name) => !REPORTING_DETECTORS.has(name));
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

const titleOf = ({ story: { detector, story, seed } }: { readonly story: Story }): string =>
  `${detector}: ${story} ${seed}`;
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const LEVELS: readonly Finding['level'][] = ['observe', 'nudge', 'block', 'stop'];

/** The highest level of each detector's findings in a story. */
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
