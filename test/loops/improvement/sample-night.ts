import type { LoopEvent } from '../../../machines/events.ts';
import * as is from '../../support/facts.ts';
import * as has from './night-facts.ts';

const slow = has.discoveryOf('benchmarks-1a', { title: 'Benchmark parse is above 40 ms', source: 'benchmarks' });
const test = has.discoveryOf('failing-tests-2b', { title: 'Test "adds a day" fails' });
const todo = has.discoveryOf('todos-3c', { title: 'TODO: read leap seconds', source: 'todos', relevanceScore: 0.65 });

const measurement = { pairs: 9, ratio: 0.712, low: 0.69, high: 0.744, seed: 4711, threshold: 0.95 };

/** The first iteration: one candidate is refused by a tier, the next one is kept. */
const first: readonly LoopEvent[] = [
  is.iterationStarted(0),
  has.discovered([], {
    discoveries: [test, slow, todo],
    sources: [
      { source: 'failing-tests', found: 1 },
      { source: 'benchmarks', found: 1 },
      { source: 'todos', found: 1 },
      { source: 'lint', found: 0, fault: { code: 'failed', message: 'lint: command not found' } },
    ],
    left: 2,
    usage: has.used(9_000, 900_000),
  }),
  has.filtered([], { candidates: [test, slow], refused: 3, usage: has.used(2_400, 240_000) }),
  is.decidedToGoOn,
  has.experimented(test.id),
  has.planned([test.id], has.used(3_100, 500_000)),
  has.preparedFor(test.id),
  has.settled(84_000, is.outcomeOf('success'), 21_000_000),
  has.built(test.id),
  has.tier(test.id, 'applies', true, { kind: 'applies' }),
  has.tier(test.id, 'L1/unit', false, { detail: 'Test "adds a month" passed before, and fails now.' }),
  has.evaluated(test.id, 'L1/unit', { reason: 'Test "adds a month" passed before, and fails now. | <b>no</b>' }),
  is.decidedToGoOn,
  has.experimented(slow.id),
  has.preparedFor(slow.id),
  has.settled(61_000, is.outcomeOf('success'), 15_000_000),
  has.built(slow.id, { changed: [{ path: 'src/parse.ts', added: 12, removed: 30 }] }),
  has.tier(slow.id, 'applies', true, { kind: 'applies' }),
  has.tier(slow.id, 'L1/unit', true, { flickered: ['waits for the clock'], durationMs: 12_300 }),
  has.tier(slow.id, 'benchmark parse', true, { kind: 'benchmark', measurement, durationMs: 41_000 }),
  is.checked(true),
  has.evaluated(slow.id, null, { usage: has.used(1_200, 100_000) }),
  has.integrated(slow.id, { usage: has.used(4_000, 700_000) }),
];

/** The second: an error ends it. The third: nothing else is relevant enough. */
const rest: readonly LoopEvent[] = [
  is.decidedToGoOn,
  is.iterationStarted(1),
  has.discovered([], {
    discoveries: [test, todo],
    sources: [{ source: 'failing-tests', found: 1 }],
    known: 1,
    usage: has.used(9_300, 910_000),
  }),
  has.filtered([], { candidates: [test], refused: 1 }),
  is.decidedToGoOn,
  has.experimented(test.id),
  has.preparedFor(test.id),
  has.settled(30_000, is.abortedBy('error', { code: 'provider', message: 'the provider answers 500' }), 8_000_000),
  is.decidedToGoOn,
  is.iterationStarted(2),
  has.discovered([], { discoveries: [todo], known: 2 }),
  has.filtered([], { candidates: [], refused: 1 }),
  {
    type: 'decision.made',
    payload: {
      action: 'stop',
      sink: { ending: 'success', verified: null, partial: false },
      reason: 'nothing else is to be found',
      evidence: [],
    },
  },
  { type: 'summary.written', payload: { text: 'One improvement.', usage: has.used(700, 60_000) } },
  is.strategyEnded,
];

/** A night in which one change is kept, one refused by a tier, one lost to an error, and one source fails. */
export const sampleNight = (night: has.Night = {}): readonly LoopEvent[] => [
  has.nightStarted(night),
  ...first,
  ...rest,
];
