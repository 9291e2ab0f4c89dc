import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type EventOf, LoopEvent, type ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { LoggedEvent } from '../../src/detectors/detector.ts';
import type { CallStreak } from '../../src/detectors/call-streak.ts';
import { identicalCalls } from '../../src/detectors/identical-calls.ts';
import { fc } from '../support/fast-check.ts';

type Call = Pick<ToolCall, 'tool' | 'arguments'>;

const read = (path: string): Call => ({ tool: 'read', arguments: { path, limit: 10 } });

/** The version-th fact of a run: an answer that asks for these calls. */
const answer = (version: number, ...calls: Call[]): LoggedEvent => {
  const payload: EventOf<'model.completed'>['payload'] = {
    text: '',
    calls: calls.map((call, index) => ({ callId: `${version}.${index}`, providerId: null, ...call })),
    usage: { inputTokens: 1, outputTokens: 1 },
  };
  return { run: 'run-1', version, type: 'model.completed', payload };
};

const toolDone = (version: number): LoggedEvent => ({
  run: 'run-1',
  version,
  type: 'tool.completed',
  payload: { callId: '0.0', output: `output ${version}` },
});

/** What the detector finds at each fact of a history. */
function found(history: readonly LoggedEvent[], threshold?: number): (Finding | null)[] {
  const detector = identicalCalls(threshold);
  let state = detector.init();
  return history.map((event) => {
    const noticed = detector.step(state, event);
    state = noticed.state;
    return noticed.finding ?? null;
  });
}

const stateAfter = (history: readonly LoggedEvent[]): CallStreak => {
  const detector = identicalCalls();
  return history.reduce((state, event) => detector.step(state, event).state, detector.init());
};

describe('T7 D0 three identical calls', () => {
  test('T7 D0 in a row, over steps, stop the turn with the answers as evidence', () => {
    const history = [answer(2, read('a')), toolDone(4), answer(6, read('a')), toolDone(8), answer(10, read('a'))];
    expect(found(history)).toEqual([
      null,
      null,
      null,
      null,
      {
        detector: 'identical-calls',
        level: 'stop',
        count: 3,
        message: 'the same call 3 times: read {"limit":10,"path":"a"}',
        evidence: ['run-1/2', 'run-1/6', 'run-1/10'],
      },
    ]);
  });

  test('T7 D0 the order of keys does not hide them', () => {
    const swapped: Call = { tool: 'read', arguments: { limit: 10, path: 'a' } };
    expect(found([answer(1, read('a')), answer(2, swapped), answer(3, read('a'))]).at(-1)).toMatchObject({ count: 3 });
  });

  test('T7 D0 another tool, another argument, or another type of argument between starts again', () => {
    const others: Call[] = [
      { tool: 'list', arguments: read('a').arguments },
      read('b'),
      { tool: 'read', arguments: { path: 'a', limit: '10' } },
      { tool: 'read', arguments: null },
    ];
    for (const other of others) {
      const calls = [read('a'), read('a'), other, read('a'), read('a')];
      const findings = found(calls.map((called, version) => answer(version, called)));
      expect(findings).toEqual([null, null, null, null, null]);
    }
  });

  test('T7 D0 parallel calls count in the order the model asked for them', () => {
    expect(found([answer(1, read('a')), answer(2, read('a'), read('a'))]).at(-1)).toMatchObject({
      count: 3,
      evidence: ['run-1/1', 'run-1/2'],
    });
    expect(found([answer(1, read('a'), read('a'), read('a'), read('b'))])).toEqual([null]);
    expect(found([answer(1, read('b'), read('a'), read('a')), answer(2, read('a'), read('b'))])).toEqual([null, null]);
  });

  test('T7 D0 an answer in text changes nothing and repeats no finding', () => {
    const calls = [answer(1, read('a')), answer(2, read('a')), answer(3), answer(4, read('a')), answer(5)];
    expect(found(calls).map((finding) => finding?.count ?? 0)).toEqual([0, 0, 0, 3, 0]);
  });

  test('T7 D0 keeps counting where the run was not stopped, with no more evidence than the threshold', () => {
    const history = Array.from({ length: 5 }, (_, version) => answer(version, read('a')));
    expect(found(history).at(-1)).toMatchObject({ count: 5, evidence: ['run-1/2', 'run-1/3', 'run-1/4'] });
  });

  test('T7 D0 a long call is cut to a readable size', () => {
    const call = { tool: 'write', arguments: { text: 'x'.repeat(9_000) } };
    const [, , finding] = found([1, 2, 3].map((version) => answer(version, call)));
    expect(finding?.message).toMatch(/^the same call 3 times: write \{"text":"x+…$/);
    expect(finding?.message.length).toBeLessThan(250);
  });

  test('D0 a call that is exempt, or polls, is like no other, and ends the row it stands in', () => {
    for (const traits of [{ identity: 'exempt' } as const, { polling: true } as const]) {
      const detector = identicalCalls(3, (tool) => (tool === 'wait' ? traits : {}));
      const wait: Call = { tool: 'wait', arguments: {} };
      const levels = (calls: readonly Call[]) => {
        let state = detector.init();
        return calls.map((one, version) => {
          const noticed = detector.step(state, answer(version, one));
          state = noticed.state;
          return noticed.finding !== undefined;
        });
      };
      expect(levels([wait, wait, wait, wait])).toEqual([false, false, false, false]);
      expect(levels([read('a'), read('a'), wait, read('a'), read('a'), read('a')])).toEqual([
        false,
        false,
        false,
        false,
        false,
        true,
      ]);
    }
  });

  test('D0 what the model says beside its calls hides nothing', () => {
    const thinking = [1, 2, 3].map((version) => {
      const event = answer(version, read('a'));
      return event.type === 'model.completed'
        ? { ...event, payload: { ...event.payload, text: `thought ${version}` } }
        : event;
    });
    expect(found(thinking).at(-1)).toMatchObject({ count: 3 });
  });

  test.each([0, 1, 2.5, NaN])('T7 D0 a threshold of %d would stop everything or nothing', (threshold) =>
    expect(() => identicalCalls(threshold)).toThrow(RangeError),
  );
});

const call = fc.record<Call>({
  tool: fc.constantFrom('read', 'list'),
  arguments: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<ToolCall['arguments'][]>({ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1 }, null) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value))) },
  ),
});
const history = fc
  .array(fc.oneof(fc.array(call, { maxLength: 4 }), fc.constant(null)), { maxLength: 12 })
  .map((steps) => steps.map((calls, version) => (calls === null ? toolDone(version) : answer(version, ...calls))));

describe('D0 for any history', () => {
  const callsOf = (event: LoggedEvent) => (event.type === 'model.completed' ? event.payload.calls : []);
  const equal = (one: ToolCall, other: ToolCall) =>
    one.tool === other.tool && isDeepStrictEqual(one.arguments, other.arguments);

  test('D0 it fires exactly where reading all calls again would', () =>
    fc.assert(
      fc.property(history, fc.integer({ min: 2, max: 4 }), (facts, threshold) => {
        const expected = facts.map((event, index) => {
          const calls = facts.slice(0, index + 1).flatMap(callsOf);
          const last = calls.slice(-threshold);
          const identical = last.every((one) => last.every((other) => equal(one, other)));
          return callsOf(event).length > 0 && last.length === threshold && identical;
        });
        expect(found(facts, threshold).map((finding) => finding !== null)).toEqual(expected);
      }),
      { numRuns: 500 },
    ));

  test('D0 its state survives JSON at any point, and asks nothing of the past', () =>
    fc.assert(
      fc.property(history, (facts) => {
        const detector = identicalCalls();
        let kept = detector.init();
        for (const event of facts) {
          const stored = JSON.parse(JSON.stringify(kept)) as CallStreak;
          expect(stored).toEqual(kept);
          const noticed = detector.step(kept, event);
          expect(detector.step(stored, event)).toEqual(noticed);
          kept = noticed.state;
        }
      }),
    ));

  test('D0 its state does not grow, however long the turn, the answers and their arguments', () => {
    const calls = Array.from({ length: 20 }, (_, index) => read(index % 7 === 0 ? 'b' : 'x'.repeat(5_000)));
    const varied = Array.from({ length: 100 }, (_, version) => answer(version, ...calls));
    const same = Array.from({ length: 500 }, (_, version) => answer(100 + version, read('a')));
    for (const facts of [varied, [...varied, ...same]]) {
      expect(JSON.stringify(stateAfter(facts)).length).toBeLessThan(200);
    }
  });

  test('D0 a step leaves the state it was given as it was', () => {
    const detector = identicalCalls();
    const before = stateAfter([answer(1, read('a'))]);
    const copy = structuredClone(before);
    detector.step(before, answer(2, read('a'), read('a'), read('b')));
    expect(before).toEqual(copy);
  });

  test('the facts these tests are made of are facts', () => {
    for (const { type, payload } of [answer(1, read('a')), toolDone(2)]) {
      expect(LoopEvent.safeParse({ type, payload }).success).toBe(true);
    }
  });
});

test('X4 T7 D0 calls are counted anew where the worktree was made again: the work is to be done again', () => {
  const again = (remade: object): LoggedEvent => ({
    run: 'run-1',
    version: 8,
    type: 'run.resumed',
    payload: { idleMs: 0, ...remade },
  });
  const history = (remade: object) => [
    answer(2, read('a')),
    answer(6, read('a')),
    again(remade),
    answer(10, read('a')),
  ];
  expect(found(history({ remade: { from: 0, hash: '1' } })).at(-1)).toBe(null);
  expect(found(history({})).at(-1)).not.toBe(null);
});
