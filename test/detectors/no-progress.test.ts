import { describe, expect, test } from 'vitest';
import type { LoopEvent, ToolCall } from '../../machines/events.ts';
import { noProgress, noProgressKind } from '../../src/detectors/no-progress.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { callsRefused, steered } from '../support/facts.ts';
import { findingsAt, foundIn } from './folding.ts';

interface Step {
  readonly tool: string;
  readonly path: string;
  readonly output: string;
}

const asked = (...calls: Pick<ToolCall, 'tool' | 'arguments'>[]): LoopEvent => ({
  type: 'model.completed',
  payload: {
    text: '',
    calls: calls.map((call, index) => ({ callId: `0.${index}`, providerId: null, ...call })),
    usage: { inputTokens: 1, outputTokens: 1 },
  },
});
const done = (output: string, index = 0): LoopEvent => ({
  type: 'tool.completed',
  payload: { callId: `0.${index}`, output },
});

const facts = (steps: readonly Step[]): LoopEvent[] =>
  steps.flatMap(({ tool, path, output }) => [asked({ tool, arguments: { path } }), done(output)]);
const times = (count: number, stepAt: (index: number) => Step): Step[] =>
  Array.from({ length: count }, (_, index) => stepAt(index));
const read = (path: string, output: string): Step => ({ tool: 'read', path, output });
const poll = (output: string): Step => ({ tool: 'poll', path: 'job', output });

const traits: TraitsOf = (tool) => (tool === 'poll' ? { polling: true } : {});
const levels = (history: readonly LoopEvent[]) =>
  foundIn(noProgress(undefined, traits), history).map(({ level, count }) => `${level} ${count}`);

/** Every other call is a new one, with a new result. */
const between = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step, index) => [step, read(`new-${index}`, `new-${index}`)]);

describe('D8 the same call with the same result', () => {
  test('D8 ten times is a nudge, nine times is not; the nudge is given once', () => {
    expect(levels(facts(times(9, () => read('a', 'same'))))).toEqual([]);
    expect(levels(facts(times(19, () => read('a', 'same'))))).toEqual(['nudge 10']);
    const [finding] = foundIn(noProgress(), facts(times(10, () => read('a', 'same'))));
    expect(finding).toEqual({
      detector: 'no-progress',
      level: 'nudge',
      count: 10,
      message: 'the same call of read brought the same result 10 times',
      evidence: [13, 15, 17, 19].map((version) => `run/${version}`),
    });
  });

  test('D8 twenty times is a stop', () => {
    expect(levels(facts(times(20, () => read('a', 'same'))))).toEqual(['nudge 10', 'stop 20']);
  });

  test('D8 what is called between changes nothing, and nothing is forgotten', () => {
    expect(levels(facts(between(times(10, () => read('a', 'same')))))).toEqual(['nudge 10']);
    const seldom = times(20, () => read('a', 'same')).flatMap((step, index) => [
      step,
      ...times(9, (other) => read(`${index}-${other}`, '1')),
    ]);
    expect(levels(facts(seldom))).toEqual(['nudge 10', 'stop 20']);
  });

  test('D8 a result that changed is progress, what is volatile in it is not', () => {
    expect(levels(facts(times(60, (index) => read('a', `line ${index}`))))).toEqual([]);
    expect(
      levels(facts(times(10, (index) => read('a', `2 passed (${index} ms) 2030-01-01T00:00:0${index}.000Z`)))),
    ).toEqual(['nudge 10']);
    const changing = [
      ...times(9, () => read('a', 'waiting')),
      read('a', 'moved'),
      ...times(9, () => read('a', 'waiting')),
    ];
    expect(levels(facts(changing))).toEqual([]);
  });

  test('D8 another argument is another call', () => {
    expect(levels(facts(times(60, (index) => read(`page-${index}`, 'nothing here'))))).toEqual([]);
  });

  test('D8 to be refused again and again is no progress either', () => {
    const refused = Array.from({ length: 10 }, () => [
      asked({ tool: 'read', arguments: {} }),
      callsRefused('0.0'),
    ]).flat();
    expect(levels(refused)).toEqual(['nudge 10']);
  });

  test('D8 a word of a person starts again', () => {
    const nine = facts(times(9, () => read('a', 'same')));
    expect(levels([...nine, steered, ...nine])).toEqual([]);
  });

  test('D8 the calls of one answer are one step, whichever of them ends first', () => {
    const [a, b] = ['a', 'b'].map((path) => ({ tool: 'read', arguments: { path } }));
    const both = (first: number, second: number) => (a && b ? [asked(a, b), done('x', first), done('x', second)] : []);
    const history = Array.from({ length: 10 }, (_, index) => (index % 2 ? both(0, 1) : both(1, 0))).flat();
    expect(levels(history.slice(0, -1))).toEqual([]);
    expect(findingsAt(noProgress(), history).at(-1)).toMatchObject({
      level: 'nudge',
      message: 'the same call of read brought the same result 10 times',
    });
  });
});

describe('D8 two calls that take turns', () => {
  const turns = (count: number, output: (index: number) => string = () => 'same') =>
    facts(times(count, (index) => read(index % 2 ? 'a' : 'b', output(index))));

  test('D8 ten are a nudge, nine are not, twenty are a stop', () => {
    expect(levels(turns(9))).toEqual([]);
    expect(levels(turns(10))).toEqual(['nudge 10']);
    const rows = foundIn(noProgress(), turns(20)).filter(({ message }) => message.startsWith('two calls'));
    expect(rows.map(({ level, count, evidence }) => [level, count, evidence.length])).toEqual([
      ['nudge', 10, 10],
      ['stop', 20, 20],
    ]);
  });

  test('D8 one whose result changes is work: edit and test, edit and test', () => {
    expect(levels(turns(60, (index) => (index % 2 ? `${index} failed` : 'same')).slice(0, 36))).toEqual([]);
  });
});

describe('D8 polling', () => {
  test('D8 looks of a polling tool, of which no pause is known, have the long thresholds', () => {
    expect(levels(facts(times(19, () => poll('pending'))))).toEqual([]);
    expect(levels(facts(times(29, () => poll('pending'))))).toEqual(['nudge 20']);
    expect(levels(facts(times(30, () => poll('pending'))))).toEqual(['nudge 20', 'stop 30']);
  });

  test('D8 a polling tool in turn with another has them too, whichever of the two comes first', () => {
    const sleep = { tool: 'sleep', path: '5 s', output: 'ok' };
    for (const parity of [0, 1]) {
      const waiting = facts(times(62, (index) => (index % 2 === parity ? poll('pending') : sleep)));
      const looks = foundIn(noProgress(undefined, traits), waiting).filter(({ message }) => message.includes('looks'));
      expect(looks.slice(0, 2).map(({ level, count }) => `${level} ${count}`)).toEqual(['nudge 20', 'stop 30']);
    }
  });

  test('D8 polling whose result changes is silent for ever', () => {
    expect(levels(facts(times(200, (index) => poll(`${index} % done`))))).toEqual([]);
  });
});

test('D8 thirty calls in a row that bring nothing new are a stop, in whatever pattern', () => {
  const seven = (index: number) => read(`${index % 7}`, 'same');
  expect(levels(facts(times(36, seven)))).toEqual([]);
  expect(foundIn(noProgress(), facts(times(37, seven)))).toMatchObject([
    { level: 'stop', count: 30, message: '30 calls in a row brought nothing new' },
  ]);
  const withNews = times(63, (index) => (index % 20 === 19 ? read(`new-${index}`, 'new') : seven(index)));
  expect(levels(facts(withNews))).toEqual([]);
});

test.each([
  [{ nudge: 20 }, 'nudge'],
  [{ stop: 31 }, 'stop'],
  [{ waitNudgeMs: 2_400_000 }, 'waitNudgeMs'],
  [{ nudge: 1 }, 'nudge'],
  [{ nudge: 2.5 }, 'nudge'],
])('D8 thresholds that contradict each other are refused: %o', (config, field) => {
  expect(noProgressKind.config.safeParse(config).error?.issues[0]?.path).toEqual([field]);
});
