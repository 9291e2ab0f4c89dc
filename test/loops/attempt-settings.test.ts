import { expect, test } from 'vitest';
import { noConversations } from '../../src/app/records/earlier-conversations.ts';
import { delegatedSettings } from '../../src/loops/shared/effects/run-of-delegate.ts';
import { localServices } from '../../src/hosts/local/local-services.ts';
import { attemptSettings } from '../../src/loops/attempt-settings.ts';
import { createHarness } from '../support/harness.ts';

const settings = createHarness({ model: { answers: [{ text: 'x' }] } }).settingsOf({
  prompt: 'Fix it.',
  checks: ['npm test'],
  maxTokens: 1_000,
  maxSteps: 9,
  graceMs: 12_000,
  maxTime: '10m',
});
const { limits, attemptLimits } = settings;
if (!attemptLimits) throw new Error('a loop of attempts has limits for each');
const of = {
  settings,
  run: 'r',
  effect: 'r/3/0',
  iteration: 0,
  limits,
  attemptLimits,
  share: { tokens: 1_000, nanoUsd: null },
  feedback: null,
  steering: [],
  remade: null,
  memory: { observe: () => {} },
};

const CHECKS =
  'These checks decide whether the task is done:\n- L0 `npm test`: exits with 0, and every test that it reports passes';
const TASK = `Fix it.\n\n${CHECKS}`;

test('an attempt is a turn with the task, no checks of its own, and the parent it belongs to', () => {
  expect(attemptSettings(of)).toEqual({
    ...settings,
    prompt: TASK,
    loop: 'turn',
    checks: [],
    strategy: null,
    attemptLimits: null,
    graceMs: 12_000,
    limits: {
      maxSteps: 9,
      maxToolCalls: 200,
      maxTokens: 1_000,
      maxIterations: null,
      maxTimeMs: null,
      maxCostNanoUsd: null,
    },
    parent: { run: 'r', effect: 'r/3/0', iteration: 0 },
  });
});

test('an attempt has the grace that was asked for, and the loop around it 5 s more', () => {
  const harness = createHarness({ model: { answers: [{ text: 'x' }] } });
  const graces = (graceMs?: number) => {
    const loop = harness.settingsOf({ checks: ['true'], ...(graceMs === undefined ? {} : { graceMs }) });
    return [loop.graceMs, attemptSettings({ ...of, settings: loop }).graceMs];
  };
  expect(graces()).toEqual([15_000, 10_000]);
  expect(graces(0)).toEqual([5_000, 0]);
});

test('an attempt gets its share of tokens and money, and less where each has a cap of its own', () => {
  const share = { tokens: 600, nanoUsd: 5_000 };
  expect(attemptSettings({ ...of, share }).limits).toMatchObject({ maxTokens: 600, maxCostNanoUsd: 5_000 });
  const capped = { ...attemptLimits, maxTokens: 200 };
  expect(attemptSettings({ ...of, share, attemptLimits: capped }).limits).toMatchObject({
    maxTokens: 200,
    maxCostNanoUsd: 5_000,
  });
  expect(attemptSettings({ ...of, share: { tokens: null, nanoUsd: 0 } }).limits).toMatchObject({
    maxTokens: null,
    maxCostNanoUsd: 0,
  });
});

test('the loop sums up, not each of its attempts', () => {
  expect(attemptSettings({ ...of, settings: { ...settings, summaryTokens: 500 } }).summaryTokens).toBe(0);
});

test('a later attempt is told which it is, and what the last one got wrong', () => {
  const prompt = (iteration: number, feedback: string | null) => attemptSettings({ ...of, iteration, feedback }).prompt;
  expect(prompt(0, null)).toBe(TASK);
  expect(prompt(1, 'L1/test: red')).toBe(
    `${TASK}\n\nThis is attempt 2 of 3. The files are as the attempt before left them.\n\nL1/test: red`,
  );
  expect(prompt(1, null)).toMatch(/before left them\.$/);
});

test('V1 the first attempt is told how the checks went before any work', () => {
  const feedback = 'Before you change anything, all checks pass.';
  expect(attemptSettings({ ...of, iteration: 0, feedback }).prompt).toBe(`${TASK}\n\n${feedback}`);
});

test('every attempt is told what a person has said since the run was started', () => {
  const prompt = (iteration: number) =>
    attemptSettings({ ...of, iteration, steering: ['Use tabs.', 'No: spaces.'] }).prompt;
  expect(prompt(0)).toBe(
    'Fix it.\n\nSince then the person whose task this is has said:\nUse tabs.' +
      `\n\nSince then the person whose task this is has said:\nNo: spaces.\n\n${CHECKS}`,
  );
  expect(prompt(1)).toMatch(
    /^Fix it\.\n\nSince then .*Use tabs\..*No: spaces\.\n\nThese checks .*\n\nThis is attempt 2 of 3\./s,
  );
});

test('G7 R5 what a run continues is told to its attempts, and not to the delegates of a turn', async () => {
  const continuing = { ...settings, history: [{ role: 'user' as const, text: 'Before.' }] };
  expect(attemptSettings({ ...of, settings: continuing }).history).toEqual(continuing.history);
  const share = { tokens: null, nanoUsd: null, steps: 5, toolCalls: 5 };
  const work = { settings: continuing, run: 'r', effect: 'r/3/0', callId: '0.0', delegation: { task: 'Look.' }, share };
  const sources = { ...localServices(), conversations: noConversations };
  const child = await delegatedSettings(work, sources, {
    id: 'r/3/0',
    attempt: 1,
    delta: () => {},
    signal: new AbortController().signal,
  });
  expect(child).toMatchObject({ kind: 'settings', settings: { prompt: 'Look.' } });
  expect(child).not.toHaveProperty('settings.history');
});

test('B1 attempts and delegated work stand behind the walls of their run', async () => {
  const sandbox = { network: 'example.org', writable: ['/kept'] };
  const walled = { ...settings, sandbox };
  expect(attemptSettings({ ...of, settings: walled }).sandbox).toEqual(sandbox);
  const share = { tokens: null, nanoUsd: null, steps: 5, toolCalls: 5 };
  const work = { settings: walled, run: 'r', effect: 'r/3/0', callId: '0.0', delegation: { task: 'Look.' }, share };
  const sources = { ...localServices(), conversations: noConversations };
  const signal = new AbortController().signal;
  const child = await delegatedSettings(work, sources, { id: 'r/3/0', attempt: 1, delta: () => {}, signal });
  expect(child).toMatchObject({ kind: 'settings', settings: { sandbox } });
});
