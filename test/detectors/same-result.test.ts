import { describe, expect, test } from 'vitest';
import { builtinTools } from '../../src/actors/tools/builtin.ts';
import { sameResult } from '../../src/detectors/same-result.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { call, done, failed, foundIn, levelsIn, read, steered, step, times } from './turn-story.ts';

const tools = new Map(builtinTools().map(({ name, traits = {} }) => [name, traits]));
const traits: TraitsOf = (name) => (name === 'wait' ? { polling: true } : (tools.get(name) ?? {}));
const detector = () => sameResult(undefined, traits);
const levels = (facts: ReturnType<typeof step>) => levelsIn(detector(), facts);
/** 24 times the same four words in another order: nothing that a search was not about before. */
const orders = (words: readonly string[]): readonly string[] =>
  words.length < 2
    ? words
    : words.flatMap((word) => orders(words.filter((one) => one !== word)).map((rest) => `${word} ${rest}`));
const WORDS = orders(['cart', 'total', 'tax', 'price']);
const wordsAt = (index: number) => WORDS[index] ?? '';
const search = (pattern: string, found = 'no line of any file matches') => step(call('grep', { pattern }), done(found));
const shell = (command: string, output = '[no output]') => step(call('shell', { command }), done(output));

describe('D14 one tool that brings the same result whatever it is asked', () => {
  test('D14 the eighth is a nudge, once, and the sixteenth a stop', () => {
    const facts = times(17, (index) => search(wordsAt(index), 'config.ts: the index is being built'));
    expect(levels(facts)).toEqual(['nudge at 16', 'stop at 32', 'stop at 34']);
    expect(foundIn(detector(), facts)[0]).toMatchObject({
      detector: 'same-result',
      count: 8,
      message: '8 calls of grep in a row, each with other arguments, brought the same result',
      evidence: [2, 4, 6, 8, 10, 12, 14, 16].map((version) => `run-1/${version}`),
    });
  });

  test('D14 a survey is progress: each call is about something new, and brings a good result or finds nothing', () => {
    expect(levels(times(40, (index) => search(`name_${index}`)))).toEqual([]);
    expect(levels(times(40, (index) => shell(`python3 -m py_compile pkg/mod${index}.py`)))).toEqual([]);
    expect(levels(times(40, (index) => shell(`curl -so /dev/null https://example.com/p/${index}`, '200')))).toEqual([]);
  });

  test('D14 a survey neither counts nor ends a row, and a bad result counts as before', () => {
    const known = times(7, (index) => search(wordsAt(index)));
    expect(levels([...known, ...search('one_more'), ...search(wordsAt(7))])).toEqual(['nudge at 18']);
    const bad = (index: number) => shell(`deploy --to host${index}`, 'usage: deploy TARGET');
    expect(levels(times(16, bad))).toEqual(['nudge at 16', 'stop at 32']);
  });

  test('D14 the names in a call do not count in what it brings', () => {
    const refused = (index: number) => shell(`curl 10.0.0.${index}`, `curl: (7) no route to 10.0.0.${index}`);
    expect(levels(times(8, refused))).toEqual(['nudge at 16']);
  });

  test('D14 an empty result of a search counts, in a tool of its own and in a command', () => {
    expect(levels(times(8, (index) => search(wordsAt(index), '')))).toEqual(['nudge at 16']);
    expect(levels(times(8, (index) => shell(`grep -rn '${wordsAt(index)}' .`, '[exit code 1]')))).toEqual([
      'nudge at 16',
    ]);
    expect(levels(times(8, (index) => shell(`find . -name '${wordsAt(index)}'`)))).toEqual(['nudge at 16']);
  });

  test('D14 searches that find nothing count together, whatever tool makes them', () => {
    const ways = [
      (word: string) => step(call('grep', { pattern: word }), done('[no line matches]')),
      (word: string) => step(call('glob', { pattern: word }), done('[no file fits]\n[1 folder could not be read]')),
      (word: string) => shell(`rg '${word}'`, '[exit code 1]'),
    ];
    // The name of `rg` is a new word once.
    const facts = times(17, (index) => ways[index % 3]?.(wordsAt(index)) ?? []);
    expect(levels(facts)).toEqual(['nudge at 18', 'stop at 34']);
    expect(foundIn(detector(), facts)[0]?.message).toBe(
      '8 searches in a row, in words that were tried before, have found nothing',
    );
    const seven = facts.slice(0, 14);
    expect(
      levels([...seven, ...step(call('grep', { pattern: 'x' }), done('a:1:x\n[1 line matches]')), ...seven]),
    ).toEqual([]);
    expect(levels([...seven, ...shell('diff a b', '1c1\n[exit code 1]'), ...seven])).toEqual([]);
    expect(levels([...seven, ...shell('node x', '[exit code 1]'), ...seven])).toEqual([]);
  });

  test('D14 results that differ only in what is new each time are the same, and failures too', () => {
    const asked = times(8, (index) => shell(`ask '${wordsAt(index)}'`, `queued, took ${index}m 3s`));
    expect(levels(asked)).toEqual(['nudge at 16']);
    expect(levels(times(8, (index) => step(read(`${index}`), failed('no'))))).toEqual(['nudge at 16']);
  });

  test('D14 another result, another tool or a message of a person ends the row', () => {
    const seven = times(7, (index) => search(wordsAt(index)));
    for (const between of [search('main', 'src/a.ts:1:main'), step(read('a')), [steered]])
      expect(levels([...seven, ...between, ...seven])).toEqual([]);
    const inTurn = times(16, (index) => step(call(index % 2 ? 'lookup' : 'ask', { text: wordsAt(index) })));
    expect(levels(inTurn)).toEqual([]);
  });

  test('D14 the same call twice in a row counts once', () => {
    const twice = times(7, (index) => [...search(wordsAt(index)), ...search(wordsAt(index))]);
    expect(levels(twice)).toEqual([]);
    expect(levels([...twice, ...search(wordsAt(7)), ...search(wordsAt(7))])).toEqual(['nudge at 30']);
  });

  test('D14 what writes is exempt by its class, and ends the row', () => {
    for (const tool of ['edit', 'multi_edit', 'write', 'delegate', 'ask_user'])
      expect(levels(times(20, (index) => step(call(tool, { path: `${index}` }), done('ok'))))).toEqual([]);
    expect(levels(times(20, (index) => shell(`git mv a${index}.ts b${index}.ts`)))).toEqual([]);
    const seven = times(7, (index) => shell(`find . -name '${wordsAt(index)}'`));
    expect(levels([...seven, ...shell('mkdir a'), ...seven])).toEqual([]);
  });

  test('D14 a tool that is no writer counts however short its result is', () => {
    expect(levels(times(8, (index) => step(call('lookup', { text: wordsAt(index) }), done('ok'))))).toEqual([
      'nudge at 16',
    ]);
  });

  test('D14 a call that polls neither counts nor ends the row', () => {
    expect(levels(times(20, (index) => step(call('wait', { index }), done('pending'))))).toEqual([]);
    const seven = times(7, (index) => search(wordsAt(index)));
    expect(levels([...seven, ...step(call('wait')), ...search(wordsAt(7))])).toEqual(['nudge at 18']);
  });
});
