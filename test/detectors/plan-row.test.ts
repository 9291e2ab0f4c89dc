import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import { standstill } from '../../src/detectors/work-standstill.ts';
import { loopStarted, steered, turnStarted } from '../support/facts.ts';
import { asks, call, done, failed, foundIn, read, runs, step, times, traitsHere } from './turn-story.ts';

const detector = standstill(undefined, traitsHere);
const levels = (facts: readonly LoopEvent[]) =>
  foundIn(detector, facts).map(({ level, count }) => `${level} at step ${count}`);

/** A step that looks at something new, with so many tokens. */
const look = (index: number, tokens = 5_000): LoopEvent[] => {
  const { payload } = asks(read(`src/${index}.ts`));
  const answer = {
    type: 'model.completed' as const,
    payload: { ...payload, usage: { inputTokens: tokens, outputTokens: 0 } },
  };
  return [answer, done(`text ${index}`)];
};
const looks = (count: number, tokens?: number) => times(count, (index) => look(index, tokens));

const checked = loopStarted({ checks: true });
const unchecked = turnStarted();
const childOf = (lineage: readonly string[], started: EventOf<'run.started'> = turnStarted()): LoopEvent => ({
  ...started,
  payload: {
    ...started.payload,
    settings: {
      ...started.payload.settings,
      parent: { run: 'p', effect: 'p/1/1', iteration: 0, lineage: [...lineage] },
    },
  },
});

describe('D18 steps without a change of any file', () => {
  test('D18 where the work is checked, 25 of them are a nudge and 40 a stop', () => {
    expect(levels([checked, ...looks(24)])).toEqual([]);
    expect(levels([checked, ...looks(40)])).toEqual(['nudge at step 25', 'stop at step 40']);
    const [nudge] = foundIn(detector, [checked, ...looks(25)]);
    expect(nudge?.message).toBe('25 steps and 125000 tokens without a change of any file, though the work is checked');
    expect(nudge?.evidence).toEqual([42, 44, 46, 48, 50].map((at) => `run-1/${at}`));
  });

  test('D18 an attempt of a loop is to change something too', () =>
    expect(levels([childOf([]), ...looks(40)])).toEqual(['nudge at step 25', 'stop at step 40']));

  test('D18 a turn without checks and a delegated task may read for ever', () => {
    expect(levels([unchecked, ...looks(300)])).toEqual([]);
    expect(levels(looks(300))).toEqual([]);
    expect(levels([childOf(['a task']), ...looks(300)])).toEqual([]);
  });

  test('D18 both steps and tokens have to be used', () => {
    expect(levels([checked, ...looks(200, 100)])).toEqual([]);
    expect(levels([checked, ...looks(20, 50_000)])).toEqual([]);
    expect(levels([checked, ...looks(60, 4_000)])).toEqual([
      'nudge at step 25',
      ...times(11, (index) => `stop at step ${50 + index}`),
    ]);
  });

  test('D18 a change ends the row, by an editor, a command or a wait', () => {
    const edit = call('edit', { path: 'a', oldText: '1', newText: '2' });
    const changes = [step(edit), runs('npm run build', 'built'), runs('sleep 30; gh run view 7', 'queued'), [steered]];
    for (const change of changes) expect(levels([checked, ...looks(23), ...change, ...looks(24)])).toEqual([]);
  });

  test('D18 a change that failed, a search, and a list of tasks do not end it', () => {
    const edit = call('edit', { path: 'a', oldText: '1', newText: '2' });
    const list = step(call('todo_write', { todos: 'one' }));
    for (const other of [step(edit, failed()), runs('grep -rn main src', 'a'), runs('git log', 'x')])
      expect(levels([checked, ...looks(24), ...other])).toEqual(['nudge at step 25']);
    const todo = standstill(undefined, (name) =>
      name === 'todo_write' ? { writes: true, replaces: true } : traitsHere(name),
    );
    expect(foundIn(todo, [checked, ...looks(24), ...list])).toMatchObject([{ level: 'nudge', count: 25 }]);
  });

  test('D18 after a word of a person the row begins anew, and a change is asked for as before', () =>
    expect(levels([checked, ...looks(24), steered, ...looks(25)])).toEqual(['nudge at step 25']));
});
