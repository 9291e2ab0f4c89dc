import { describe, expect, test } from 'vitest';
import { withoutOwnWords, wordsIn } from '../../src/detectors/own-words.ts';
import { fc } from '../support/fast-check.ts';

describe('D14 the words of a call', () => {
  test.each([
    [{ path: 'src/cart.ts' }, ['src/cart.ts', 'src', 'cart.ts']],
    [
      { command: 'curl -s localhost:3001/health # again' },
      ['curl', 'localhost:3001/health', 'localhost', '3001', 'health'],
    ],
    [{ pattern: 'total', page: 2 }, ['total', '2']],
    [{ at: 1_767_225_600_000, id: '1234567890' }, []],
    [{ nested: { path: 'a' }, list: ['b'] }, []],
    [null, []],
    ['text', ['t', 'e', 'x']],
  ])('D14 %j is about %j', (given, words) => {
    const found = wordsIn(given as never);
    if (given === 'text') expect(found.length).toBeLessThanOrEqual(4);
    else expect(found.filter((word) => word !== 's')).toEqual(words);
  });

  test('D14 a comment of a shell is about nothing, and a `#` within a word begins no comment', () => {
    expect(wordsIn({ command: 'npm test # try 3' })).toEqual(wordsIn({ command: 'npm test # once more' }));
    expect(wordsIn({ command: 'open page#top' })).toContain('top');
  });

  test('D14 they are few and short, however much is given', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string({ maxLength: 3_000 }), fc.integer())), (given) => {
        const words = wordsIn(given as never);
        expect(words.length).toBeLessThanOrEqual(32);
        expect(words.every((word) => word.length <= 200)).toBe(true);
        expect(new Set(words).size).toBe(words.length);
      }),
    ));
});

describe('D18 a result without the names in its own call', () => {
  const gist = (given: object, text: string) => withoutOwnWords(text, wordsIn(given as never));

  test('D18 one answer to several questions is the same', () => {
    const ask = (port: number) =>
      gist({ command: `curl localhost:${port}/health` }, `no connection to localhost port ${port}`);
    expect(ask(3001)).toBe(ask(3999));
    expect(gist({ path: 'src/a.ts' }, 'src/a.ts: no such file')).toBe(
      gist({ path: 'lib/b.ts' }, 'lib/b.ts: no such file'),
    );
  });

  test('D18 plain words and parts of other words stay', () => {
    expect(gist({ pattern: 'total' }, 'the total is 3')).toBe('the total is 3');
    expect(gist({ id: 'a1' }, 'a1 ba1 a12 a1')).toBe('<own> ba1 a12 <own>');
    expect(gist({ line: 12 }, 'line 12 of 120')).toBe('line <own> of 120');
  });

  test('D18 what is no name of the call is kept, in its order', () =>
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 }),
        (text, words) => {
          const named = words.filter((word) => word !== '');
          expect(withoutOwnWords(text, [])).toBe(text);
          expect(withoutOwnWords(text, named).length).toBeLessThanOrEqual(text.length * 6);
        },
      ),
    ));
});
