import type { DetectorChoice } from '../../../machines/settings.ts';
import { scored } from '../../../src/redecide/lab-stories.ts';
import { builtInNames } from '../../../src/redecide/other-judge.ts';
import { redecide } from '../../../src/redecide/redecide-run.ts';
import type { Story } from '../../../src/redecide/story.ts';
import { traitsHere } from '../stored.ts';
import { TRANSCRIPTS } from '../stories/transcript.ts';
import type { Shape } from './shape.ts';
import { told } from './told.ts';

/** The results of the detectors on the stories of one source. */
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
  /** The detectors that stopped a healthy one, each once. */
  readonly stoppedBy: readonly string[];
  /** The stuck ones that went on and the healthy ones that did not. */
  readonly missed: readonly string[];
  readonly mistaken: readonly string[];
}

/** Returns how detectors do on the trajectories of each source. */
export async function bySource(shapes: readonly Shape[], detectors: readonly DetectorChoice[]): Promise<SourceScore[]> {
  const sources = [...new Set(shapes.map(({ source }) => source))].toSorted();
  const own = (name: string) => shapes.filter(({ source }) => source === name);
  return Promise.all(sources.map((source) => scoreOf(source, own(source).map(told), detectors)));
}

/** Returns how detectors do together on some stories, whichever detector each is about. */
export async function scoreOf(
  source: string,
  stories: readonly Story[],
  detectors: readonly DetectorChoice[],
): Promise<SourceScore> {
  const together = stories.map((story) => ({ ...story, detector: TRANSCRIPTS, isApart: false }));
  const score = (await scored(together, detectors, traitsHere)).find(({ detector }) => detector === 'all');
  if (!score) throw new Error(`${source} has no stories`);
  const stopsOf = (label: Story['label']) =>
    Promise.all(stories.filter((story) => story.label === label).map((story) => stopOf(story, detectors)));
  const stuck = stories.filter(({ label }) => label === 'loop');
  const stops = await stopsOf('loop');
  const healthyStops = score.mistaken.length === 0 ? [] : await stopsOf('lookalike');
  const steps = stops.flatMap((stop) => stop?.step ?? []).toSorted((one, other) => one - other);
  return {
    source,
    stuck: score.loops,
    stuckStopped: score.ended,
    medianStep: steps[Math.floor(steps.length / 2)] ?? null,
    saved: stops.reduce((sum, stop) => sum + (stop?.saved ?? 0), 0),
    tokens: stuck.reduce((sum, story) => sum + tokensIn(story), 0),
    healthy: score.lookalikes,
    healthyStopped: score.mistaken.length,
    stoppedBy: [...new Set(healthyStops.flatMap((stop) => stop?.by ?? []))],
    missed: score.unended,
    mistaken: score.mistaken,
  };
}

const tokensIn = ({ runs }: Story): number =>
  runs.flat().reduce((sum, fact) => {
    if (fact.type !== 'model.completed') return sum;
    const { inputTokens, outputTokens } = fact.payload.usage;
    return sum + inputTokens + outputTokens;
  }, 0);

/** The earlier end of a run of a story: by which detectors, after which step of a turn, and what that saves. */
async function stopOf({ runs, traits }: Story, detectors: readonly DetectorChoice[]) {
  const names = builtInNames((tool) => traits[tool] ?? traitsHere(tool));
  for (const facts of runs) {
    const { conclusion, turn, saved, redecisions } = await redecide(facts, { detectors: [...detectors] }, names);
    if (conclusion !== 'stops_earlier' || !turn || !saved) continue;
    const found = redecisions.find(({ version }) => version === turn.version)?.other.findings ?? [];
    const by = found.filter(({ level }) => level === 'stop').map(({ detector }) => detector);
    return { by, step: facts.some(({ type }) => type === 'step.started') ? turn.after : null, saved: saved.tokens };
  }
  return null;
}
