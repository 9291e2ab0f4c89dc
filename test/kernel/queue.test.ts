import { describe, expect, test } from 'vitest';
import { turnEntry } from '../../machines/index.ts';
import type { Outstanding } from '../../src/kernel/fold.ts';
import { admitQueued, queuedAgain, queues } from '../../src/kernel/queue.ts';
import { fc } from '../support/fast-check.ts';

const call = (number: number, more: Partial<Outstanding> = {}): Outstanding => ({
  effect: `7/${number}`,
  key: `call.${number}`,
  actor: 'runTool',
  input: {},
  attempt: 1,
  told: false,
  ...more,
});
const queued = { queued: true } as const;
const begun = (outstanding: readonly Outstanding[]) => outstanding.filter((one) => !one.queued).map(({ key }) => key);
const under = (maxParallel?: number, pending = {}) => ({ entry: turnEntry, maxParallel, pending });

describe('G6 who is next', () => {
  test('G6 the first in their order, as far as there is room, and none that has begun stops', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 20 }), fc.integer({ min: 1, max: 12 }), (waits, limit) => {
        const before = waits.map((isQueued, index) => call(index, isQueued ? queued : {}));
        const after = admitQueued(before, under(limit));
        const [was, is] = [begun(before), begun(after)];
        expect(is).toEqual(expect.arrayContaining(was));
        expect(is).toHaveLength(Math.max(was.length, Math.min(limit, before.length)));
        const next = before.filter((one) => one.queued).map(({ key }) => key);
        const added = is.filter((key) => !was.includes(key));
        expect(added).toEqual(next.slice(0, added.length));
        expect(after.map(({ effect }) => effect)).toEqual(before.map(({ effect }) => effect));
      }),
    ));

  test('G6 a delegated task that waits for a person takes no place', () => {
    const both = [call(0, { actor: 'runAgent' }), call(1, queued)];
    expect(begun(admitQueued(both, under(1)))).toEqual(['call.0']);
    expect(begun(admitQueued(both, under(1, { 'call.0': 'waiting' })))).toEqual(['call.0', 'call.1']);
  });

  test('G6 a call that was told to stop while it was queued never starts', () =>
    expect(begun(admitQueued([call(0, { ...queued, told: true }), call(1, queued)], under(1)))).toEqual(['call.1']));

  test('G6 timers, questions and judges do not queue, and in a run without a limit nothing does', () => {
    const limited = { entry: turnEntry, maxParallel: 1 };
    expect(['runTool', 'runAgent', 'askPerson', 'timer', 'judge'].map((actor) => queues(actor, limited))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(queues('runTool', { entry: turnEntry })).toBe(false);
    expect(begun(admitQueued([call(0, { actor: 'askPerson' }), call(1, queued)], under(1)))).toContain('call.1');
  });

  test('G6 those that a pause has found queued are queued again', () =>
    expect(begun(queuedAgain([call(0), call(1), call(2)], ['7/1']))).toEqual(['call.0', 'call.2']));
});
