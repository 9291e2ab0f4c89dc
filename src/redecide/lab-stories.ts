import type { Finding } from '../../machines/outcome.ts';
import type { DetectorChoice } from '../../machines/settings.ts';
import type { TraitsOf } from '../detectors/traits.ts';
import { CLIMBING_DETECTORS, DETECTOR_NAMES, REPORTING_DETECTORS } from '../detectors/detector-kinds.ts';
import { builtInNames } from './other-judge.ts';
import { redecide } from './redecide-run.ts';
import type { Story } from './story.ts';
import { type Interval, wilson } from './wilson.ts';

/** How well a detector, or all of them together, distinguish loops from lookalikes. */
export interface Score {
  /** `all`: the chosen detectors together, on the stories that are about no single one. */
  readonly detector: string;
  /** Whether these are the stories that are kept apart, which detectors are not tuned by. Only of `all`. */
  readonly isApart?: true;
  /**
   * Its own loops in the corpus, and of how many kinds; those that it noticed; and those in which it blocked a call or
   * ended the run.
   */
  readonly loops: number;
  readonly loopKinds: number;
  readonly noticed: number;
  readonly ended: number;
  /**
   * The lookalikes, for a single detector those of every detector; and those in which it blocked a call or ended the
   * run nevertheless.
   */
  readonly lookalikes: number;
  readonly lookalikeKinds: number;
  readonly mistaken: readonly string[];
  /** Lookalikes in which it nudged the model, and no more. */
  readonly nudged: number;
  readonly missed: readonly string[];
  /** Its loops in which it did not intervene, the missed ones among them. */
  readonly unended: readonly string[];
  /** The share of loops among all stories in which it blocked a call or ended the run. Null where there are none. */
  readonly precision: number | null;
  /** The share of its own loops that it noticed. Null where the corpus has none. */
  readonly recall: number | null;
  /** The same shares with 95 % confidence; and the shares of loops and of lookalikes in which it intervened. */
  readonly intervals: {
    readonly precision: Interval | null;
    readonly recall: Interval | null;
    readonly ended: Interval | null;
    readonly mistaken: Interval | null;
  };
}

/** A story, and the highest level of each detector's findings in it. */
interface Watched {
  readonly story: Story;
  readonly levels: ReadonlyMap<string, Finding['level']>;
}

/**
 * Runs detectors over every story of a corpus. Each is scored by itself: loops of another detector count neither way,
 * lookalikes count for all. Stories about no single detector are for all of them together, those apart by themselves.
 */
export async function scored(
  stories: readonly Story[],
  detectors: readonly DetectorChoice[],
  traits: TraitsOf,
): Promise<Score[]> {
  const watched = await Promise.all(
    stories.map(async (story) => ({ story, levels: await levelsIn(story, detectors, traits) })),
  );
  const known = watched.filter(({ story }) => !story.isApart);
  const names = builtInNames(traits)
    .detectorsOf([...detectors])
    .map(({ name }) => name)
    .filter((name) => !REPORTING_DETECTORS.has(name));
  const ofAll = (those: readonly Watched[]) => those.filter(({ story }) => !DETECTOR_NAMES.includes(story.detector));
  const all = (those: readonly Watched[]) => scoreOf('all', those, those, highestOf);
  const apart = watched.filter(({ story }) => story.isApart);
  return [
    ...names.map((name) => {
      const own = known.filter(({ story }) => story.detector === name);
      return scoreOf(name, own, known, ({ levels }) => levels.get(name) ?? 'observe');
    }),
    ...(ofAll(known).length > 0 ? [all(ofAll(known))] : []),
    ...(apart.length > 0 ? [{ ...all(apart), isApart: true as const }] : []),
  ];
}

/** `own`: its loops; `every`: the lookalikes. */
function scoreOf(
  detector: string,
  own: readonly Watched[],
  every: readonly Watched[],
  levelIn: (one: Watched) => Finding['level'],
): Score {
  // A detector with a ladder refuses a call before it ends a run, and the run goes on.
  const isEnd: ReadonlySet<string> = new Set(
    CLIMBING_DETECTORS.has(detector) || detector === 'all' ? ['stop'] : ['block', 'stop'],
  );
  const intervenes = (one: Watched) => isEnd.has(levelIn(one));
  const loops = own.filter(({ story }) => story.label === 'loop');
  const alike = every.filter(({ story }) => story.label === 'lookalike');
  const missed = loops.filter((one) => levelIn(one) === 'observe');
  const ended = loops.filter(intervenes);
  const mistaken = alike.filter(intervenes);
  const noticed = loops.length - missed.length;
  const interventions = ended.length + mistaken.length;
  return {
    detector,
    loops: loops.length,
    loopKinds: kindsIn(loops),
    noticed,
    ended: ended.length,
    lookalikes: alike.length,
    lookalikeKinds: kindsIn(alike),
    mistaken: mistaken.map(titleOf),
    nudged: alike.filter((one) => levelIn(one) !== 'observe' && !intervenes(one)).length,
    missed: missed.map(titleOf),
    unended: loops.filter((one) => !intervenes(one)).map(titleOf),
    precision: share(ended.length, interventions),
    recall: share(noticed, loops.length),
    intervals: {
      precision: wilson(ended.length, interventions),
      recall: wilson(noticed, loops.length),
      ended: wilson(ended.length, loops.length),
      mistaken: wilson(mistaken.length, alike.length),
    },
  };
}

const kindsIn = (those: readonly Watched[]): number =>
  new Set(those.map(({ story }) => `${story.detector}: ${story.story}`)).size;
const titleOf = ({ story: { detector, story, seed } }: Watched): string => `${detector}: ${story} ${seed}`;
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const LEVELS: readonly Finding['level'][] = ['observe', 'nudge', 'block', 'stop'];
const highestOf = ({ levels }: Watched): Finding['level'] =>
  [...levels.values()].toSorted((one, other) => LEVELS.indexOf(one) - LEVELS.indexOf(other)).at(-1) ?? 'observe';

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
