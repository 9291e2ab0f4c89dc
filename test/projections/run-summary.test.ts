import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { lifeOf } from '../../src/kernel/fold.ts';
import { runSummary } from '../../src/projections/run-summary.ts';
import {
  attemptSettled,
  continued,
  decidedToGoOn,
  handedBack,
  interrupted,
  iterationStarted,
  loopStarted,
  resumed,
} from '../support/facts.ts';
import { testInTurn } from '../support/in-turn.ts';
import { recorded, summaryOf } from './recorded.ts';

const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'n.txt', content } }] });
const TWICE = { attempts: ['1', '2'].map((n) => ({ answers: [write(n), { text: `wrote ${n}` }] })) };
const CHECKED = { checks: ['L1:grep 2 n.txt'] };

test('what a summary says was spent is what the machine has counted, for a loop and for each attempt', async () => {
  const { loops, run, factsOf } = await recorded(TWICE, CHECKED);
  const loop = summaryOf(await factsOf(run));
  for (const one of [run, ...loop.iterations.map(({ child }) => child ?? '')]) {
    const rebuilt = await loops.rebuild(one);
    if (rebuilt.kind !== 'loaded') throw new Error(rebuilt.kind);
    expect(summaryOf(await factsOf(one)).spend).toEqual(lifeOf(rebuilt.state).spend);
  }
  expect(loop.spend).toMatchObject({ steps: 4, toolCalls: 2 });
});

testInTurn('each iteration has its attempt, its checks, its files and the decision on it', async () => {
  const { run, factsOf } = await recorded(TWICE, CHECKED);
  const { iterations, ending, answer } = summaryOf(await factsOf(run));
  expect(iterations).toMatchObject([
    {
      iteration: 0,
      attempt: { ending: 'success' },
      answer: 'wrote 1',
      passed: false,
      changed: [{ path: 'n.txt', added: 1, removed: 0 }],
      decision: { action: 'continue' },
    },
    {
      iteration: 1,
      attempt: { ending: 'success' },
      answer: 'wrote 2',
      passed: true,
      changed: [{ path: 'n.txt', added: 1, removed: 1 }],
      decision: { action: 'stop' },
    },
  ]);
  expect(iterations.every(({ durationMs }) => durationMs !== null)).toBe(true);
  expect(ending).toMatchObject({
    outcome: { ending: 'success' },
    evidence: [`${run}/${ending?.outcome.ending === 'success' ? ending.outcome.verified?.version : 0}`],
  });
  expect(answer).toBe('wrote 2');
});

test('the row of a lost attempt says why; lost captures and delegated work are no attempts', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const rowAfter = (event: LoopEvent) =>
    summaryOf(
      [loopStarted(), iterationStarted(0), event].map((one, index) => ({ ...one, run: 'r', version: index + 1, at })),
    ).iterations[0];
  expect(rowAfter(interrupted('agent'))?.interrupted).toBe('told to stop');
  expect(rowAfter(interrupted('capture'))?.interrupted).toBeNull();
  expect(rowAfter(attemptSettled())?.attempt).toMatchObject({ ending: 'success' });
  expect(rowAfter(handedBack('0.0'))?.attempt).toBeNull();
});

testInTurn('folding changes no summary that was handed out before', async () => {
  const { run, factsOf } = await recorded(TWICE, CHECKED);
  const facts = await factsOf(run);
  const along = facts.map((_, index) => summaryOf(facts.slice(0, index + 1)));
  let summary: ReturnType<typeof runSummary> = null;
  const handedOut = facts.map((fact) => (summary = runSummary(summary, fact, shippedLoops)));
  expect(handedOut).toEqual(along);
});

testInTurn('a continuation has its own limits, and the ending of the run before it is not its own', async () => {
  const { loops, run, factsOf } = await recorded(TWICE, { ...CHECKED, maxIterations: 1 });
  expect(summaryOf(await factsOf(run))).toMatchObject({
    limits: { maxIterations: 1 },
    ending: { outcome: { ending: 'cap_hit' } },
  });
  const extended = await loops.extend(run, { maxIterations: 2 });
  if (extended.kind !== 'live') throw new Error(extended.kind);
  await extended.live.done;
  const facts = await factsOf(extended.live.run);
  const continued = facts.findIndex(({ type }) => type === 'run.continued');
  expect(summaryOf(facts.slice(0, continued + 1))).toMatchObject({ limits: { maxIterations: 2 }, ending: null });
  expect(summaryOf(facts)).toMatchObject({
    ending: { outcome: { ending: 'success' } },
    iterations: [{ passed: false }, { passed: true }],
  });
});

test('an answer that a tool declares is the answer; a pause shows until the run goes on', async () => {
  const { run, factsOf } = await recorded(
    { answers: [{ text: 'so', calls: [{ tool: 'finish', arguments: { answer: 'forty-two' } }] }] },
    { loop: 'turn' },
  );
  const facts = await factsOf(run);
  const summary = summaryOf(facts);
  expect(summary).toMatchObject({
    answer: 'forty-two',
    paused: false,
    iterations: [],
    text: expect.stringContaining('success'),
  });
  const at = { run, at: summary.at, version: summary.version + 1 };
  const paused = runSummary(summary, { ...at, type: 'run.paused', payload: { by: 'signal' } }, shippedLoops);
  expect(paused?.paused).toBe(true);
  expect(runSummary(paused, { ...at, type: 'run.resumed', payload: { idleMs: 1 } }, shippedLoops)?.paused).toBe(false);
  const { limits, attemptLimits } = summary;
  const payload = { limits, attemptLimits, strategy: null, idleMs: 1 };
  expect(runSummary(paused, { ...at, type: 'run.continued', payload }, shippedLoops)?.paused).toBe(false);
  const ended = facts.find((fact) => fact.type === 'decision.made' && fact.payload.sink);
  expect(ended && runSummary(paused, ended, shippedLoops)?.paused).toBe(false);
});

test('X4 a summary warns of a worktree that was made again when the run was resumed or continued', () => {
  const at = { run: 'r', at: '2026-01-01T00:00:00.000Z' };
  const remade = { from: 2, hash: '1' };
  const begun = [{ ...loopStarted(), ...at, version: 1 }];
  const of = (event: LoopEvent) => summaryOf([...begun, { ...event, ...at, version: 2 }]).warnings;
  const warning = 'Its worktree was gone, and is made again from capture 2';
  expect(of({ type: 'run.resumed', payload: { idleMs: 0, remade } })).toEqual([warning]);
  const onward = continued({ maxIterations: 3 }, 0);
  expect(of({ ...onward, payload: { ...onward.payload, remade } } as LoopEvent)).toEqual([warning]);
  expect(of(resumed(0))).toEqual([]);
});

test('the duration of a round leaves out pauses, crashes and the time before a continuation', () => {
  const minute = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
  const story: readonly (readonly [minute: number, event: LoopEvent])[] = [
    [0, loopStarted()],
    [0, iterationStarted(0)],
    [2, { type: 'run.paused', payload: { by: 'waiting' } }],
    [32, resumed(30 * 60_000)],
    [33, decidedToGoOn],
    [93, continued({ maxIterations: 3 }, 60 * 60_000)],
    [94, decidedToGoOn],
  ];
  const facts = story.map(([at, event], index) => ({ ...event, run: 'r', version: index + 1, at: minute(at) }));
  const durationAfter = (length: number) => summaryOf(facts.slice(0, length)).iterations[0]?.durationMs;
  expect([durationAfter(5), durationAfter(7)]).toEqual([3 * 60_000, 4 * 60_000]);
});
