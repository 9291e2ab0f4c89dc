import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Fact } from '../../../src/kernel/effect-handlers.ts';
import { RalphMemory, ralphOptionsOf } from '../../../src/loops/ralph/memory.ts';
import { RalphLoopOptions } from '../../../src/ralph/ralph-options.ts';
import { agentCanEdit, editOf, isIdleAt } from '../../../src/loops/ralph/state-edit.ts';
import { NOTHING_LEFT } from '../../../src/loops/ralph/sort-changes.ts';
import type { RalphState } from '../../../src/ralph/ralph-state.ts';
import type { RalphContext } from '../../../machines/ralph.machine.ts';
import type { Counting } from '../../../machines/ralph-numbers.ts';
import * as has from '../../support/facts.ts';

const ours: RalphState = {
  active: true,
  iteration: 3,
  maxIterations: 5,
  completionPromise: 'TASK COMPLETE',
  startedAt: '2026-03-01T12:00:00.000Z',
  sessionId: 'run-1',
  originalPrompt: '  mend the clock\n',
};
const numbers: Counting = {
  ceiling: 100,
  isAdaptive: false,
  file: { digest: null, maximum: 5, ahead: 0, first: 3 },
  limits: has.settingsOf('ralph').limits,
  iterations: 3,
};
const unknown = { digest: 'd', by: 'unknown', isFixed: false, left: NOTHING_LEFT, numbers } as const;

describe('R4 an edit that the agent could have made', () => {
  test.each<[string, Partial<RalphState>]>([
    ['a larger maximum', { maxIterations: 6 }],
    ['no maximum', { maxIterations: 0 }],
    ['a smaller iteration', { iteration: 2 }],
    ['another task', { originalPrompt: 'paint the clock' }],
    ['another promise', { completionPromise: 'OK' }],
    ['no promise', { completionPromise: null }],
    ['a smaller maximum with another task', { maxIterations: 4, originalPrompt: 'paint the clock' }],
  ])('R4 waits for a person: %s', (_, change) => expect(editOf({ ...ours, ...change }, ours, unknown).held).toBe(true));

  test.each<[string, Partial<RalphState>]>([
    ['a smaller maximum', { maxIterations: 4 }],
    ['a larger iteration', { iteration: 4 }],
    ['the end of the loop, with whatever beside it', { active: false, maxIterations: 50 }],
    ['another time of its start', { startedAt: '2020-01-01T00:00:00.000Z' }],
  ])('R4 counts at once: %s', (_, change) => expect(editOf({ ...ours, ...change }, ours, unknown).held).toBe(false));

  test.each<[string, Partial<RalphState>, boolean]>([
    ['lower than it has grown to, and higher than a person has given', { maxIterations: 4 }, true],
    ['as a person has given it', { maxIterations: 3 }, false],
    [
      'with a higher iteration, so that no more may run than a person has given',
      { iteration: 4, maxIterations: 4 },
      false,
    ],
  ])('R4 a maximum that grows waits where it could grow further then: %s', (_, change, held) =>
    expect(editOf({ ...ours, ...change }, ours, { ...unknown, numbers: { ...numbers, isAdaptive: true } }).held).toBe(
      held,
    ),
  );

  test('R4 white space around the task is no edit', () =>
    expect(
      editOf({ ...ours, originalPrompt: 'mend the clock' }, { ...ours, originalPrompt: 'mend the clock' }, unknown)
        .changes,
    ).toEqual({}));

  test('R4 a maximum that was given as an option is stronger than the file', () =>
    expect(editOf({ ...ours, maxIterations: 9 }, ours, { ...unknown, isFixed: true }).changes).toEqual({}));
});

test('R4 a lower iteration gives no more iterations than the option, and a higher one leaves fewer', () => {
  const fixed = { ...unknown, by: 'person', isFixed: true } as const;
  expect(editOf({ ...ours, iteration: 1 }, ours, fixed).changes).toEqual({});
  expect(editOf({ ...ours, iteration: 4 }, ours, fixed).changes).toEqual({ iteration: 4 });
});

test.each(['unknown', 'person'] as const)(
  'R4 an end of the loop by %s carries no other change into a continuation',
  (by) => {
    const ending = { ...ours, active: false, completionPromise: 'OK', originalPrompt: 'rest', maxIterations: 50 };
    expect(editOf(ending, ours, { ...unknown, by }).changes).toEqual({ active: false });
  },
);

test('R4 another task or promise beside an end that an older log has recorded does not count', () => {
  const settings = has.settingsOf('ralph');
  const memory = new RalphMemory('run-1', settings);
  const changes = { active: false, completionPromise: 'OK', originalPrompt: 'rest', maxIterations: 50 } as const;
  const { prompt, promise, maximum } = memory;
  memory.observe({
    run: 'run-1',
    version: 9,
    at: '2026-03-01T12:00:00.000Z',
    type: 'state_file.edited',
    payload: { edit: { digest: 'd', changes, by: 'unknown', held: false } },
  } as Fact);
  expect(memory).toMatchObject({ prompt, promise, maximum });
});

test('R4 what a person has edited counts, whatever it is', () =>
  expect(editOf({ ...ours, maxIterations: 9 }, ours, { ...unknown, by: 'person' })).toMatchObject({
    held: false,
    changes: { maxIterations: 9 },
  }));

test('R4 a run that has recorded a place for the file still folds, and a new one is refused', () => {
  const options = { label: 'ralph-wiggum', stateFile: 'notes/loop.md' };
  expect(ralphOptionsOf({ options })).toEqual(RalphLoopOptions.parse({ label: 'ralph-wiggum' }));
  expect(() => RalphLoopOptions.parse(options)).toThrow('stateFile');
});

describe('R4 who could have written the file', () => {
  const settings = (more: Partial<RunSettings>) => ({ ...has.settingsOf('ralph'), ...more });
  const isolation = {
    kind: 'worktree',
    origin: '/a',
    top: '/b',
    repository: '/a',
    base: 'b',
    dependencies: [],
  } as const satisfies RunSettings['isolation'];
  test.each<[string, Partial<RunSettings>, boolean]>([
    ['a shell', { tools: ['shell'] }, true],
    ['an unknown tool', { tools: ['read', 'own'] }, true],
    ['reading tools', { tools: ['read', 'grep', 'finish'] }, false],
    ['file tools, which refuse it', { tools: ['edit', 'write'] }, false],
    [
      'file tools whose work a check runs',
      { tools: ['edit'], checks: has.settingsOf('ralph', { checks: true }).checks },
      true,
    ],
    ['a shell in a worktree, which a path leads out of', { tools: ['shell'], isolation }, true],
    ['file tools in a worktree, which are confined to it', { tools: ['edit', 'write'], isolation }, false],
  ])('R4 %s', (_, more, can) => expect(agentCanEdit(settings(more))).toBe(can));

  const context = (more: object) =>
    ({ iterations: 2, attempt: null, idle: null, waitingSince: null, pending: {}, ...more }) as unknown as RalphContext;
  const at = (time: string, mayOutlive = false, lookedAt: string | null = null) => ({
    changedAtMs: Date.parse(`2026-03-01T${time}Z`),
    mayOutlive,
    lookedAt,
  });
  const idle = { from: '2026-03-01T12:00:00.000Z', to: '2026-03-01T13:00:00.000Z' };

  test('R4 only people are at work in a pause, in a wait, and before the first attempt', () => {
    expect(isIdleAt(context({ idle }), at('12:30:00'))).toBe(true);
    expect(isIdleAt(context({ idle }), at('11:59:00'))).toBe(false);
    expect(isIdleAt(context({ idle }), at('13:01:00'))).toBe(false);
    expect(isIdleAt(context({ waitingSince: idle.from }), at('14:00:00'))).toBe(true);
    expect(isIdleAt(context({ iterations: 1 }), at('14:00:00'))).toBe(true);
    expect(isIdleAt(context({ iterations: 1, pending: { agent: 'owed' } }), at('14:00:00'))).toBe(false);
  });

  test('R4 a file of a pause that an earlier look would have found was moved back since', () => {
    expect(isIdleAt(context({ idle }), at('12:30:00', false, '2026-03-01T11:00:00.000Z'))).toBe(true);
    expect(isIdleAt(context({ idle }), at('12:30:00', false, '2026-03-01T13:00:01.000Z'))).toBe(false);
  });

  test('R4 while something that the run has left may be at work, a pause and a wait prove nothing', () => {
    const unknown = { leftAtWork: { until: null } };
    expect(isIdleAt(context({ idle, ...unknown }), at('12:30:00'))).toBe(false);
    expect(isIdleAt(context({ waitingSince: idle.from, ...unknown }), at('14:00:00'))).toBe(false);
    const ended = { idle, leftAtWork: { until: '2026-03-01T12:20:00.000Z' } };
    expect(isIdleAt(context(ended), at('12:19:59'))).toBe(false);
    expect(isIdleAt(context(ended), at('12:30:00'))).toBe(true);
  });

  test('R4 where a process may outlive its command unnoticed, a pause and a wait prove nothing', () => {
    expect(isIdleAt(context({ idle }), at('12:30:00', true))).toBe(false);
    expect(isIdleAt(context({ waitingSince: idle.from }), at('14:00:00', true))).toBe(false);
    expect(isIdleAt(context({ iterations: 1 }), at('14:00:00', true))).toBe(true);
  });
});
