import { describe, expect, test } from 'vitest';
import { builtinTools } from '../../src/actors/tools/builtin.ts';
import { rewrites } from '../../src/detectors/rewrites.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { asks, call, done, failed, foundIn, levelsIn, read, steered, step, times } from './turn-story.ts';

const tools = new Map(builtinTools().map(({ name, traits = {} }) => [name, traits]));
const traits: TraitsOf = (name) => {
  if (name === 'todo') return { writes: true, replaces: true };
  return name === 'wait' ? { polling: true } : (tools.get(name) ?? {});
};
const detector = () => rewrites(undefined, traits);
const levels = (facts: ReturnType<typeof step>) => levelsIn(detector(), facts);
const plan = (text: string) => step(call('todo', { todos: text }), done('Todos have been modified.'));
const write = (path: string, content: string) => step(call('write', { path, content }), done(`${path}: written`));

describe('D21 one thing that is written anew, with nothing done between', () => {
  test('D21 a list of tasks in other words: the sixth is a nudge, once, and the twelfth a stop', () => {
    const facts = times(13, (index) => plan(`1. [ ] Find the cause ${index}`));
    expect(levels(facts)).toEqual(['nudge at 12', 'stop at 24', 'stop at 26']);
    expect(foundIn(detector(), facts)[0]).toMatchObject({
      detector: 'rewrites',
      count: 6,
      message: '6 calls of todo in a row have replaced what the one before wrote, and nothing was done',
      evidence: [2, 4, 6, 8, 10, 12].map((version) => `run-1/${version}`),
    });
  });

  test('D21 a file that is written whole, again and again; several files are work', () => {
    expect(levels(times(6, (index) => write('PLAN.md', `plan ${index}`)))).toEqual(['nudge at 12']);
    expect(levels(times(20, (index) => write(`src/${index}.ts`, 'x')))).toEqual([]);
    expect(levels(times(20, (index) => write(`src/${index % 2}.ts`, `${index}`)))).toEqual([]);
  });

  test('D21 any other call between is work, and a message of a person begins anew', () => {
    const five = times(5, (index) => plan(`plan ${index}`));
    for (const between of [step(read('a')), step(call('shell', { command: 'npm test' })), [steered]])
      expect(levels([...five, ...between, ...times(5, (index) => plan(`other ${index}`))])).toEqual([]);
    const beside = times(20, (index) => [asks(call('todo', { todos: `${index}` }), read('a')), done(), done('b', 1)]);
    expect(levels(beside)).toEqual([]);
  });

  test('D21 polling between is no work', () => {
    const facts = times(6, (index) => [...plan(`plan ${index}`), ...step(call('wait', {}))]);
    expect(levels(facts)).toEqual(['nudge at 22']);
  });

  test.each([
    (ticked: number, all: number) => times(all, (at) => `[${at < ticked ? 'x' : ' '}] item ${at}`).join('\n'),
    (ticked: number, all: number) =>
      times(all, (at) => ({ text: `item ${at}`, status: at < ticked ? 'completed' : 'pending' })),
    (ticked: number, all: number) => JSON.stringify(times(all, (at) => ({ status: at < ticked ? 'done' : 'open' }))),
    (ticked: number, all: number) => times(all, (at) => `${at < ticked ? '✅' : '⬜'} item ${at}`).join('\n'),
  ])('D21 a list of which one item more is ticked off each time is worked on: %#', (list) => {
    const facts = (ticked: (index: number) => number) =>
      times(20, (index) => step(call('todo', { todos: list(ticked(index), 20), note: index })));
    expect(levels(facts((index) => index))).toEqual([]);
    expect(levels(facts(() => 3))[0]).toBe('nudge at 12');
  });

  test('D21 the same call twice counts once, and one that failed has replaced nothing', () => {
    expect(levels(times(20, (index) => plan(`plan ${Math.floor(index / 4)}`)))).toEqual([]);
    const facts = times(20, (index) => step(call('write', { path: 'a', content: `${index}` }), failed()));
    expect(levels(facts)).toEqual([]);
  });

  test('D21 a tool that does not say what it replaces is not judged: to add a row is alike', () => {
    expect(levels(times(30, (index) => step(call('insert', { row: index }))))).toEqual([]);
  });

  test('D21 arguments that say no path are no replacement, and nothing is thrown', () => {
    const throwing = rewrites(undefined, () => ({
      replaces: () => {
        throw new Error('no');
      },
    }));
    for (const given of [null, 7, {}, { path: 3 }]) {
      expect(
        levelsIn(
          throwing,
          times(7, () => step(call('write', given))),
        ),
      ).toEqual([]);
      expect(levels(times(7, () => step(call('write', given))))).toEqual([]);
    }
  });
});
