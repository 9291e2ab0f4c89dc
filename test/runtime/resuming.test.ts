import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../../src/log/program-version.ts';
import { later, resumed, resumedOrStopped, STOPPED_BY_PARENT } from '../../src/runtime/resume-or-stop.ts';
import { lastMessage } from '../../src/runtime/run-end.ts';

const SINCE = '2030-01-01T00:00:00.000Z';
const after = (ms: number): number => Date.parse(SINCE) + ms;
const remade = { from: 2, hash: 'a'.repeat(40) };

describe('a run that is resumed', () => {
  test('leaves out the time that it was idle, and says which program goes on', () => {
    expect(resumed(SINCE, after(7)).payload).toEqual({ idleMs: 7, program: PROGRAM });
    expect(resumed(SINCE, after(-7)).payload.idleMs).toBe(0);
  });

  test('says from what its worktree was made again', () =>
    expect(resumed(SINCE, after(7), remade).payload).toEqual({ idleMs: 7, program: PROGRAM, remade }));

  test('ends where its parent is stopping', () => {
    const controller = new AbortController();
    expect(resumedOrStopped(SINCE, after(7), controller.signal, remade)).toEqual(resumed(SINCE, after(7), remade));
    controller.abort();
    expect(resumedOrStopped(SINCE, after(7), controller.signal, remade)).toBe(STOPPED_BY_PARENT);
    expect(STOPPED_BY_PARENT.payload).toEqual({ cause: 'parent', reason: 'the run it belongs to is stopping' });
  });

  test('was idle since the later of two times', () => {
    expect(later(SINCE, '2030-01-01T00:00:00.001Z')).toBe('2030-01-01T00:00:00.001Z');
    expect(later('2030-01-01T00:00:00.001Z', SINCE)).toBe('2030-01-01T00:00:00.001Z');
  });
});

test('a run ends with its answer, and with the text beside it where there is one', () => {
  const handlers = (text?: string | null) => ({
    answer: () => '4',
    ...(text === undefined ? {} : { text: () => text }),
  });
  expect(lastMessage(handlers() as never)).toEqual({ answer: '4' });
  expect(lastMessage(handlers(null) as never)).toEqual({ answer: '4' });
  expect(lastMessage(handlers('') as never)).toEqual({ answer: '4', text: '' });
});
