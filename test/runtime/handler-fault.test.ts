import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loop as reviewed } from '../../docs/examples/own-loop/reviewed.loop.ts';
import type { Outstanding, RunState } from '../../src/kernel/fold.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { faultOfHandler, handlerFault, noEvent, WrongAnswer } from '../../src/runtime/handler-fault.ts';

const asked = { actor: 'askReviewer' } as Outstanding;
/** The example, whose handler comes with it. */
const own: LoopDefinition = { ...reviewed, handlers: { askReviewer: async () => undefined as never } };
const ANY_LINE = String.raw`\S+handler-fault\.test\.ts:\d+`;

function withStack(error: Error, ...frames: readonly string[]): Error {
  error.stack = [String(error), ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

describe('why an effect could not be executed', () => {
  test('names the effect where its handler is of the host', () => {
    expect(handlerFault(new Error('a bug'), asked, turnLoop)).toBe('askReviewer broke its promise: a bug');
    expect(handlerFault('no error', asked, turnLoop)).toBe('askReviewer broke its promise: no error');
  });

  test('names the loop, and what was answered', () =>
    expect(handlerFault(new WrongAnswer('nothing came'), asked, own)).toBe(
      `${own.id}: its handler of askReviewer answered wrongly: nothing came`,
    ));

  test('names the kind of an error, and the line that threw it', () => {
    expect(handlerFault(new TypeError('no'), asked, own)).toMatch(
      new RegExp(`^${own.id}: its handler of askReviewer threw at ${ANY_LINE}: TypeError: no$`),
    );
    expect(handlerFault(new Error('no'), asked, own)).toMatch(new RegExp(`threw at ${ANY_LINE}: no$`));
  });

  test.each([
    [
      'a frame of Node and one of a package come before',
      ['node:fs:1:2', 'f (/p/node_modules/x/i.js:3:4)'],
      '/p/own.ts:5',
    ],
    ['it is a URL', [], '/p/own.ts:5'],
  ])('names the first line of a file outside packages, also where %s', (what, before, place) => {
    const frame = what === 'it is a URL' ? 'async run (file:///p/own.ts:5:6)' : 'run (/p/own.ts:5:6)';
    const error = withStack(new Error('no'), ...before, frame, '/p/later.ts:7:8');
    expect(handlerFault(error, asked, own)).toBe(`${own.id}: its handler of askReviewer threw at ${place}: no`);
  });

  test('names the module where no line is known, and no place where there is no module', () => {
    const inModule: LoopDefinition = { ...own, module: { path: 'loops/own.ts', digest: 'x' } };
    const { module: _, ...without } = own;
    const error = withStack(new Error('no'), 'node:fs:1:2');
    expect(handlerFault(error, asked, inModule)).toBe(
      `${own.id}: its handler of askReviewer threw at loops/own.ts: no`,
    );
    expect(handlerFault(error, asked, without)).toBe(`${own.id}: its handler of askReviewer threw: no`);
    expect(handlerFault('no', asked, without)).toBe(`${own.id}: its handler of askReviewer threw: no`);
  });
});

describe('an answer that is no event', () => {
  const answers = { 'review.given': true, 'review.failed': true } as never;
  const told = (event: unknown, expected = answers) => {
    const { error } = own.events.safeParse(event);
    if (!error) throw new Error('it is an event');
    return noEvent(event, error, own as unknown as RunState['entry'], expected);
  };

  test.each([undefined, null, 5, 'review.given', { type: 7 }])('%j has no type', (event) =>
    expect(told(event)).toBe(`${inspect(event, { depth: 0 })} is no event`),
  );

  test('is shown without what is in it', () =>
    expect(told({ deep: { deeper: 1 } })).toBe('{ deep: [Object] } is no event'));

  test('of an unknown type is told what is expected', () =>
    expect(told({ type: 'review.gven', payload: {} })).toBe(
      `review.gven is no event of ${own.id}: its answers are review.given, review.failed`,
    ));

  test('of a known type is told which member is wrong', () =>
    expect(told({ type: 'review.given', payload: { approved: 'yes', remark: '' } })).toMatch(
      /^review\.given is no event of \S+: [^]*payload\.approved/,
    ));

  test('of an unknown type is told what the schema says, where no answers are known', () =>
    expect(told({ type: 'review.gven', payload: {} }, {} as never)).not.toContain('its answers'));
});

describe('a file that may not be used', () => {
  const closed = Object.assign(new Error("EPERM: operation not permitted, open '/p'"), { code: 'EPERM', path: '/p' });

  test('is a fault of the environment where the handler is of the host', () =>
    expect(faultOfHandler(closed, asked, turnLoop)?.message).toBe(
      '/p cannot be used (EPERM: operation not permitted). ' +
        'See what lies there and who may use it, mend that, then try again.',
    ));

  test('is an error of the handler where that comes with the loop', () =>
    expect(faultOfHandler(closed, asked, own)).toBe(null));
});
