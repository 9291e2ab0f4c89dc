import { expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { iterationLoop } from '../../src/loops/iteration/definition.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { LoopInView } from '../../src/projections/loop-in-view.ts';
import { timelineEntry, unreadableEntry } from '../../src/projections/timeline.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { Json } from '../../src/log/envelope.ts';
import type { Unreadable } from '../../src/log/read-event.ts';
import { recorded } from './recorded.ts';

const said = (event: LoopEvent, loop: LoopDefinition | null = turnLoop) =>
  timelineEntry({ run: 'r', version: 1, at: '2026-01-01T00:00:00.000Z', ...event }, loop).text;

test('every fact of a real run is one short line', async () => {
  const script = {
    answers: [
      { text: 'two\nlines \u001b[31mand colour', calls: [{ tool: 'list' }, { tool: 'nothing' }] },
      { text: 'x'.repeat(500) },
    ],
  };
  const { run, factsOf } = await recorded(script, { checks: ['echo a; echo b; false'], maxIterations: 1 });
  const facts = await factsOf(run);
  const child = facts.find((fact) => fact.type === 'child.settled');
  const inView = new LoopInView(shippedLoops);
  const all = [...facts, ...(await factsOf(child?.type === 'child.settled' ? child.payload.child : ''))];
  expect(all.length).toBeGreaterThan(20);
  for (const { text } of all.map((fact) => timelineEntry(fact, inView.observe(fact)))) {
    expect(text).not.toMatch(/\p{Cc}/u);
    expect(text.length).toBeLessThanOrEqual(160);
  }
});

test('a payload that was edited to be nested without end is a line, too', () => {
  const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as Json;
  const unreadable = { run: 'r', version: 1, at: '2026-01-01T00:00:00.000Z', type: 'tool.completed', schema: 1 };
  const reason = { ...unreadable, kind: 'unreadable', because: 'misfit', detail: 'a misfit' } as unknown as Unreadable;
  expect(unreadableEntry(reason, deep).text).toContain('nesting deeper than 1000');
});

test('T4 steps and iterations are counted from 1 in text', () => {
  const startedAt = '2026-01-01T00:00:00.000Z';
  expect(said({ type: 'step.started', payload: { step: 0, startedAt } })).toBe('step 1');
  expect(said({ type: 'iteration.started', payload: { iteration: 2, startedAt } }, iterationLoop)).toBe('iteration 3');
});

test('V4 all tests that flicker are counted, of which the first are named', () => {
  const tests = [{ file: 'a.js', name: 'adds', occurrence: 1 }];
  const base = {
    passed: true,
    workspace: 'tree',
    levels: [],
    tests: [],
    flickering: [{ check: 'unit', tests, more: 149 }],
  };
  expect(said({ type: 'baseline.taken', payload: base })).toContain('; 150 tests that came to something else');
});

test('what was cut short before a word was said ends with its reason', () => {
  const interrupted = (text: string) =>
    said({ type: 'model.interrupted', payload: { reason: 'abort', text, usage: { inputTokens: 0, outputTokens: 0 } } });
  expect(interrupted('')).toBe('abort');
  expect(interrupted('so far')).toBe('abort: so far');
});

test('a call is told with what it is about, a refused one with the reason', () => {
  const call = (args: object) => ({ callId: '0.0', providerId: null, tool: 'shell', arguments: { ...args } });
  const usage = { inputTokens: 1, outputTokens: 1 };
  expect(
    said({
      type: 'model.completed',
      payload: { text: 'look:', calls: [call({ timeoutSeconds: 3, command: 'ls' })], usage },
    }),
  ).toBe('look: shell(ls)');
  expect(said({ type: 'calls.admitted', payload: { run: [], refused: [{ callId: '0.0', reason: 'budget' }] } })).toBe(
    '0 calls, 0.0 refused: budget',
  );
});

const finding = (level: Finding['level']): Finding => ({
  detector: 'identical-calls',
  level,
  count: 3,
  message: 'the same call 3 times',
  evidence: ['r/4'],
});

test('D0 what detectors noticed stands with the decision it bears on, whatever they make of it', () => {
  for (const level of ['observe', 'nudge', 'block', 'stop'] as const) {
    const text = said({
      type: 'decision.made',
      payload: { action: 'continue', reason: 'more', evidence: [], findings: [finding(level)] },
    });
    expect(text).toBe(`continue: more; identical-calls (${level}): the same call 3 times`);
  }
  const refused = {
    run: [],
    refused: [{ callId: '0.0', reason: 'refused: the same call 3 times' }],
    findings: [finding('block')],
  };
  expect(said({ type: 'calls.admitted', payload: refused })).toContain('identical-calls (block)');
});

test('L2 the CI stands beside the checks, also where there are none', () => {
  const ci = { passed: false, output: 'red', exitCode: 1, durationMs: 5 };
  const check = { name: 'tests', passed: true, output: '', exitCode: 0, durationMs: 5 };
  const verified = (levels: EventOf<'verification.completed'>['payload']['levels'], passed: boolean) =>
    said({ type: 'verification.completed', payload: { passed, workspace: null, levels, ci } });
  expect(verified([{ level: 'L1', passed: true, checks: [check] }], true)).toBe('passed: ✓ L1 tests, ✗ ci');
  expect(verified([], false)).toBe('nothing was checked, ✗ ci');
});

test('T6 what is set aside for a step, and what a call may use, are told', () => {
  const startedAt = '2026-01-01T00:00:00.000Z';
  const reserved = { tokens: 1_200, inputTokens: 1_000, nanoUsd: null };
  expect(said({ type: 'step.started', payload: { step: 0, startedAt, reserved } })).toBe(
    'step 1, 1,200 tokens set aside',
  );
  const run = [{ callId: '0.0', actor: 'runAgent' as const, share: { tokens: 5_000, nanoUsd: 2_000_000_000 } }];
  expect(said({ type: 'calls.admitted', payload: { run, refused: [] } })).toMatch(
    /^1 call, 0\.0 may use 5,000 tokens, \$2/,
  );
});

test('L13 a continuation says what it changes', () => {
  const limits = {
    maxSteps: null,
    maxToolCalls: null,
    maxTokens: null,
    maxIterations: 4,
    maxTimeMs: null,
    maxCostNanoUsd: 1_500_000_000,
  };
  const payload = {
    limits,
    attemptLimits: null,
    strategy: { name: 'ralph', config: {} },
    detectors: ['strict'],
    idleMs: 0,
  };
  expect(said({ type: 'run.continued', payload })).toMatch(
    /^limits: 4 iterations, \$1\.50?; strategy ralph; detectors strict$/,
  );
});
