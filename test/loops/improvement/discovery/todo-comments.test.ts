import { expect, test } from 'vitest';
import { discoveryOf } from '../../../../src/loops/improvement/discovery/finding-facts.ts';
import { todoComments } from '../../../../src/loops/improvement/discovery/todo-comments.ts';

const found = (text: string, below: readonly string[] = [], line = 3) =>
  todoComments([{ file: 'src/a.ts', line, text, below }]);

const SCORES = [
  ['// TODO: tidy up', 0.4],
  ['# FIXME slow', 0.4],
  ['// TODO: make test/sum.test.js pass', 0.65],
  ['// TODO(#12): tidy up', 0.65],
  ['// TODO: PROJ-7', 0.65],
  ['/* TODO: as the RFC says */', 0.65],
  [' * TODO: an empty list should give 0', 0.65],
  ['<!-- TODO: should be -->', 0.4],
] as const;

for (const [text, score] of SCORES) {
  test(`I6 the comment \`${text}\` counts ${score}`, () => {
    expect(found(text).map((one) => one.score)).toEqual([score]);
  });
}

for (const text of [
  "const mark = '// TODO: later';",
  '// It lists TODO comments',
  'const TODO = 1;',
  'TODO: a heading',
]) {
  test(`I9 \`${text}\` is no such comment`, () => {
    expect(found(text)).toEqual([]);
  });
}

test('I9 a comment that goes on is read on, until it ends', () => {
  const [one] = found('// TODO: sums of lists', ['// must add all numbers', 'const x = 1;', '// else']);
  expect(one?.summary).toBe('TODO at src/a.ts:3: sums of lists must add all numbers');
  expect(one?.score).toBe(0.65);
});

test('I9 on another line it is the same finding, in another file it is not', () => {
  const ids = [
    ...found('// TODO: tidy up'),
    ...found('  //   TODO:  tidy up', [], 90),
    ...todoComments([{ file: 'src/b.ts', line: 3, text: '// TODO: tidy up', below: [] }]),
  ].map((one) => discoveryOf(one).id);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[0]).not.toBe(ids[2]);
});

test('I6 a comment that ends with the line break of Windows is the same as with that of others', () => {
  const told = (end: string) => found(`// TODO: an empty list${end}`, [`// should give 0${end}`, `code();${end}`]);
  expect(told('\r')).toEqual(told(''));
  expect(told('\r').map(({ title, score }) => [title, score])).toEqual([['TODO: an empty list should give 0', 0.65]]);
});
