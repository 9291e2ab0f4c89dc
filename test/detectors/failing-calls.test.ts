import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { builtinTools } from '../../src/actors/tools/builtin.ts';
import { failingCalls } from '../../src/detectors/failing-calls.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import {
  asks,
  call,
  done,
  failed,
  foundIn,
  levelsIn,
  lost,
  read,
  refused,
  steered,
  step,
  times,
} from './turn-story.ts';

const tools = new Map(builtinTools().map(({ name, traits = {} }) => [name, traits]));
const traits: TraitsOf = (name) => tools.get(name) ?? {};
const detector = () => failingCalls(undefined, traits);
const shell = (command: string, output: string) => step(call('shell', { command }), done(output));
const unknown = (tool: string): LoopEvent[] => [
  asks(call(tool)),
  {
    type: 'tool.failed',
    payload: { callId: '0.0', fault: { code: 'tool_unknown', message: `there is no tool "${tool}"` } },
  },
];

describe('D13 calls that fail one after the other', () => {
  test('D13 whatever their arguments, the sixth is a nudge, once, and the twelfth a stop', () => {
    const facts = times(13, (index) => step(read(`src/${index}.ts`), failed(`no such file src/${index}.ts`)));
    expect(levelsIn(detector(), facts)).toEqual(['nudge at 12', 'stop at 24', 'stop at 26']);
    expect(foundIn(detector(), facts)[0]).toMatchObject({
      detector: 'failing-calls',
      count: 6,
      message: '6 steps in a row have failed, the newest of read',
      evidence: ['run-1/2', 'run-1/4', 'run-1/6', 'run-1/8', 'run-1/10', 'run-1/12'],
    });
  });

  test('D13 calls of tools that do not exist count twice, also where they pass a threshold', () => {
    const invented = times(6, (index) => unknown(`tool_${index}`));
    expect(levelsIn(detector(), invented)).toEqual(['nudge at 6', 'stop at 12']);
    expect(foundIn(detector(), invented)[1]).toMatchObject({
      count: 12,
      message: '6 steps in a row have failed, there is no tool tool_5',
    });
    const mixed = [...step(read('a'), failed()), ...times(6, () => unknown('search'))];
    expect(levelsIn(detector(), mixed)).toEqual(['nudge at 8', 'stop at 14']);
  });

  test('D13 a refused call has failed, and one that was interrupted has no result', () => {
    const facts = times(6, (): LoopEvent[] => [asks(read('a')), refused(), asks(read('b')), lost()]);
    expect(levelsIn(detector(), facts)).toEqual(['nudge at 22']);
  });

  test('D13 a command has failed whose status is not 0, and one that a signal has ended', () => {
    for (const end of ['[exit code 1]', 'Error: x\n[exit code 127]', '[ended by SIGKILL]'])
      expect(
        levelsIn(
          detector(),
          times(6, (index) => shell(`node ${index}.js`, end)),
        ),
      ).toEqual(['nudge at 12']);
    for (const end of ['[no output]', 'as the log says: [exit code 1], which is odd', ''])
      expect(
        levelsIn(
          detector(),
          times(6, (index) => shell(`node ${index}.js`, end)),
        ),
      ).toEqual([]);
  });

  test('D13 a status of 1 is no failure of grep, and 2 is', () => {
    expect(
      levelsIn(
        detector(),
        times(13, (index) => shell(`grep ${index} a`, '[exit code 1]')),
      ),
    ).toEqual([]);
    const xargs = times(6, (index) => shell(`find . | xargs grep ${index}`, '[exit code 123]'));
    expect(levelsIn(detector(), xargs)).toEqual([]);
    const broken = times(6, (index) => shell(`grep '[${index}' a`, 'grep: brackets\n[exit code 2]'));
    expect(levelsIn(detector(), broken)).toEqual(['nudge at 12']);
  });

  test('D13 only tools that run commands have a status', () => {
    const facts = times(6, (index) => step(read(`log-${index}`), done('[exit code 1]')));
    expect(levelsIn(detector(), facts)).toEqual([]);
  });

  test('D13 one call that works ends the row', () => {
    const fails = times(5, (index) => step(read(`${index}`), failed()));
    expect(levelsIn(detector(), [...fails, ...step(read('a')), ...fails])).toEqual([]);
    expect(levelsIn(detector(), [...fails, ...shell('grep a b', '[exit code 1]'), ...fails])).toEqual([]);
    expect(levelsIn(detector(), [...fails, steered, ...fails])).toEqual([]);
  });

  test('D13 a call that works ends the row only where it brings something new', () => {
    const round = (index: number) => [...step(call('edit', { index }), failed('no such text')), ...step(read('a'))];
    expect(levelsIn(detector(), times(13, round))).toEqual(['nudge at 26', 'stop at 50']);
    const changing = (index: number) => [
      ...step(call('edit', { index }), failed()),
      ...step(read('a'), done(`${index}`)),
    ];
    expect(levelsIn(detector(), times(13, changing))).toEqual([]);
    const others = times(30, (index) => step(read(`other-${index}`)));
    const fails = times(5, (index) => step(read(`${index}`), failed()));
    expect(levelsIn(detector(), [...step(read('a')), ...others, ...fails, ...step(read('a')), ...fails])).toEqual([]);
  });

  test('D13 a call that polls may fail as long as it waits, and neither counts nor ends the row', () => {
    const polls = failingCalls(undefined, (tool) => (tool === 'up' ? { polling: true } : {}));
    const up = step(call('up'), failed('connection refused'));
    expect(
      levelsIn(
        polls,
        times(20, () => up),
      ),
    ).toEqual([]);
    const fails = times(3, (index) => step(read(`${index}`), failed()));
    expect(levelsIn(polls, [...fails, ...up, ...fails])).toEqual(['nudge at 14']);
  });

  test('D13 each threshold may be off, and has to rise', () => {
    const facts = times(13, () => step(read('a'), failed()));
    expect(levelsIn(failingCalls({ nudge: 0, stop: 13 }), facts)).toEqual(['stop at 26']);
    expect(levelsIn(failingCalls({ nudge: 13, stop: 0 }), facts)).toEqual(['nudge at 26']);
  });
});
