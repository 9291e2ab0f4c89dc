import type { LoopEvent } from '../../machines/events.ts';
import type { Detector, LoggedEvent } from '../../src/detectors/detector.ts';
import { detectorsOf } from '../../src/detectors/profile.ts';
import { noTraits } from '../../src/detectors/traits.ts';
import { cpuMicroseconds, type Figure, median } from './measure.ts';

const LENGTHS = [1_000, 50_000];
/** Events whose cost is measured, when the transcript has come to its length. */
const SAMPLE = 5_000;
const REPEATS = 5;
const EVENTS_PER_STEP = 5;
const OUTPUT_LINES = 40;

/** What it costs to watch one event, all detectors of a profile together, however long the transcript is already. */
export async function detectorFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const profile of ['default', 'strict']) {
    const costs: number[] = [];
    for (const length of LENGTHS) {
      const cost = await costAt(profile, length);
      costs.push(cost);
      const name = `${profile} detectors, an event after ${length}`;
      figures.push({
        name,
        value: cost,
        unit: 'µs CPU',
        bound: profile === 'default' ? { atMost: 20 } : null,
        absolute: true,
      });
    }
    const [short = 1, long = 0] = costs;
    figures.push({
      name: `${profile} detectors, an event after ${LENGTHS.at(-1)} of one after ${LENGTHS[0]}`,
      value: long / short,
      unit: '×',
      bound: { atMost: 1.5 },
    });
  }
  return figures;
}

async function costAt(profile: string, length: number): Promise<number> {
  const rounds: number[] = [];
  // The first round is the compiler's.
  for (let round = 0; round <= REPEATS; round += 1) {
    const watches = watching(profile);
    watch(watches, transcript(0, length));
    const sample = transcript(length, SAMPLE);
    const spent = await cpuMicroseconds(async () => watch(watches, sample));
    if (round > 0) rounds.push(spent / SAMPLE);
  }
  return median(rounds);
}

interface Watched {
  readonly detector: Detector;
  state: unknown;
}

function watching(profile: string): Watched[] {
  const chosen = detectorsOf([profile], noTraits);
  if (chosen.kind === 'refused') throw new Error(`no profile ${profile}`);
  return chosen.detectors.map((detector) => ({ detector, state: detector.init() }));
}

function watch(watches: readonly Watched[], facts: readonly LoggedEvent[]): void {
  for (const fact of facts)
    for (const watched of watches) watched.state = watched.detector.step(watched.state, fact).state;
}

/** Facts of a turn that works: every step reads something else, and asks the tests now and then. */
const transcript = (from: number, count: number): LoggedEvent[] =>
  Array.from({ length: count }, (_, index) => ({ ...eventAt(from + index), run: 'run', version: from + index + 1 }));

function eventAt(index: number): LoopEvent {
  const step = Math.floor(index / EVENTS_PER_STEP);
  const callId = `${step}.0`;
  switch (index % EVENTS_PER_STEP) {
    case 0:
      return { type: 'decision.made', payload: { action: 'continue', reason: 'the calls are answered', evidence: [] } };
    case 1:
      return { type: 'step.started', payload: { step, startedAt: '2030-01-01T00:00:00.000Z' } };
    case 2:
      return {
        type: 'model.completed',
        payload: {
          text: `I look at part ${step} next, since the clock of tower ${step % 17} still stands. `.repeat(4),
          calls: [{ callId, providerId: null, ...callAt(step) }],
          usage: { inputTokens: 900, outputTokens: 90 },
        },
      };
    case 3:
      return { type: 'calls.admitted', payload: { run: [{ callId, actor: 'runTool' }], refused: [] } };
    default:
      return { type: 'tool.completed', payload: { callId, output: outputAt(step) } };
  }
}

const callAt = (step: number) =>
  step % 5 === 4
    ? { tool: 'shell', arguments: { command: 'npm test', timeout: 60 } }
    : { tool: 'read', arguments: { path: `src/part-${step}.ts`, offset: step % 3, limit: 200 } };

const outputAt = (step: number): string =>
  Array.from({ length: OUTPUT_LINES }, (_, line) =>
    line % 8 ? '  const wheel = turn(spring);' : `test ${step} (${line} ms)`,
  ).join('\n');
