import { describe, expect, test } from 'vitest';
import type { Life } from '../../machines/life.ts';
import type { RunState } from '../../src/kernel/fold.ts';
import { iterationLoop } from '../../src/loops/iteration/definition.ts';
import { isWaiting, type Member, waitsForPerson } from '../../src/runtime/wait-states.ts';

type Pending = Life['pending'];
/** The effect of a loop that is a run of its own. */
const [attempt = ''] = Object.entries(iterationLoop.effects).flatMap(([actor, spec]) =>
  spec.class === 'child' ? [actor] : [],
);
const [other = ''] = Object.entries(iterationLoop.effects).flatMap(([actor, spec]) =>
  spec.class === 'child' ? [] : [actor],
);

/** A run with these effects pending, each outstanding as `4/INDEX` and executed by the actor. */
function member(id: string, pending: Pending, { actor = attempt, opened = null as string | null } = {}): Member {
  const outstanding = Object.keys(pending).map((key, index) => ({ key, actor, effect: `4/${index}` }));
  const state = { snapshot: { context: { pending } }, outstanding } as unknown as RunState;
  return { id, state, loop: iterationLoop, parentEffect: opened };
}

describe('a tree waits for a person', () => {
  test('where a question is all that is pending', () => {
    expect(isWaiting([member('a', { q: 'asked' })])).toBe(true);
    expect(isWaiting([member('a', { q: 'asked', r: 'asked' })])).toBe(true);
  });

  test('but not while anything else is, in any of its runs', () => {
    expect(isWaiting([member('a', { q: 'asked', call: 'owed' })])).toBe(false);
    expect(isWaiting([member('a', { q: 'asked', call: 'told' })])).toBe(false);
    expect(isWaiting([member('a', { q: 'asked' }), member('b', { call: 'owed' })])).toBe(false);
    expect(isWaiting([member('a', { q: 'asked' }), member('b', {})])).toBe(false);
  });

  test('and not where no person was asked', () => {
    expect(isWaiting([])).toBe(false);
    const child = member('b', { call: 'owed' }, { opened: 'a/4/0' });
    expect(isWaiting([member('a', { work: 'owed' }), child])).toBe(false);
  });

  test('where its root has only children pending, each of them in this process and with a question', () => {
    const child = member('b', { q: 'asked' }, { opened: 'a/4/0' });
    expect(isWaiting([member('a', { work: 'owed' }), child])).toBe(true);
    expect(isWaiting([member('a', { work: 'told' }), child])).toBe(false);
    expect(isWaiting([member('a', { work: 'owed', more: 'owed' }), child])).toBe(false);
    expect(isWaiting([member('a', { work: 'owed' }), member('b', { q: 'asked' }, { opened: 'a/4/1' })])).toBe(false);
    expect(isWaiting([member('a', { work: 'owed' }, { actor: other }), child])).toBe(false);
  });
});

test('a run waits for a person, itself or through its children, where nothing else is pending', () => {
  const waits = (pending: Pending) => waitsForPerson(member('a', pending));
  expect([waits({ q: 'asked' }), waits({ work: 'waiting' }), waits({ q: 'asked', work: 'waiting' })]).toEqual([
    true,
    true,
    true,
  ]);
  expect([waits({}), waits({ q: 'asked', call: 'owed' }), waits({ call: 'owed' })]).toEqual([false, false, false]);
});
