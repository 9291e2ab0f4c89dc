import type { DetectorChoice } from '../../../machines/settings.ts';
import { scored } from '../../../src/redecide/lab-stories.ts';
import { builtInNames } from '../../../src/redecide/other-judge.ts';
import { redecide } from '../../../src/redecide/redecide-run.ts';
import type { Story } from '../../../src/redecide/story.ts';
import { traitsHere } from '../stored.ts';
import type { Shape } from './shape.ts';
import { told } from './told.ts';

/** How the detectors did on the trajectories of one source. */
export interface SourceScore {
  readonly source: string;
  readonly stuck: number;
  readonly stuckStopped: number;
  /** The step after which the stuck ones were stopped, the middle one of them; null where none was. */
  readonly medianStep: number | null;
  /** The tokens that stopping the stuck ones saved, and those that all stuck ones took. */
  readonly saved: number;
  readonly tokens: number;
  readonly healthy: number;
  readonly healthyStopped: number;
  /** The stuck ones that went on and the healthy ones that did not. */
  readonly missed: readonly string[];
  readonly mistaken: readonly string[];
}

/** Returns how detectors do on the trajectories of each source. */
export async function bySource(shapes: readonly Shape[], detectors: readonly DetectorChoice[]): Promise<SourceScore[]> {
  const sources = [...new Set(shapes.map(({ source }) => source))].toSorted();
  return Promise.all(
    sources.map((source) =>
      scoreOf(
        source,
        shapes.filter((shape) => shape.source === source),
        detectors,
      ),
    ),
  );
}

async function scoreOf(
  source: string,
  shapes: readonly Shape[],
  detectors: readonly DetectorChoice[],
): Promise<SourceScore> {
  const stories = shapes.map((shape, index) => told(shape, index));
  const score = (await scored(stories, detectors, traitsHere)).find(({ detector }) => detector === 'all');
  if (!score) throw new Error(`${source} has no trajectories`);
  const stuck = stories.filter(({ label }) => label === 'loop');
  const stops = await Promise.all(stuck.map((story) => stopOf(story, detectors)));
  const steps = stops.flatMap((stop) => (stop ? [stop.step] : [])).toSorted((one, other) => one - other);
  const tokensIn = shapes
    .filter(({ label }) => label === 'stuck')
    .flatMap((shape) => shape.steps.map((step) => step.in + step.out));
  return {
    source,
    stuck: score.loops,
    stuckStopped: score.ended,
    medianStep: steps[Math.floor(steps.length / 2)] ?? null,
    saved: stops.reduce((sum, stop) => sum + (stop?.saved ?? 0), 0),
    tokens: tokensIn.reduce((sum, tokens) => sum + tokens, 0),
    healthy: score.lookalikes,
    healthyStopped: score.mistaken.length,
    missed: score.unended,
    mistaken: score.mistaken,
  };
}

/** The step after which a story is ended, and the tokens of the steps after it. */
async function stopOf({ runs: [facts = []] }: Story, detectors: readonly DetectorChoice[]) {
  const { conclusion, turn, saved } = await redecide(facts, { detectors: [...detectors] }, builtInNames(traitsHere));
  return conclusion === 'stops_earlier' && turn && saved ? { step: turn.after, saved: saved.tokens } : null;
}
