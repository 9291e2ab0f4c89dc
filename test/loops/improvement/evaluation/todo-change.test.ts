import { expect, test } from 'vitest';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { discoveryOf } from '../../../../src/loops/improvement/discovery/finding-facts.ts';
import { todoComments } from '../../../../src/loops/improvement/discovery/todo-comments.ts';
import { resolvedTodo } from '../../../../src/loops/improvement/evaluation/todo-change.ts';

const BEFORE = '// TODO: round down, see interest.test.js\nexports.round = (n) => n;\n';

const [found] = todoComments([
  { file: 'a.js', line: 1, text: '// TODO: round down, see interest.test.js', below: ['exports.round = (n) => n;'] },
]);
if (!found) throw new TypeError('no TODO');
const discovery: Discovery = discoveryOf(found);

const isGone = (after: string | null, others: readonly { path: string; before: string | null; after: string }[] = []) =>
  resolvedTodo(discovery, [{ path: 'a.js', before: BEFORE, after }, ...others]).isGone;

test('I9 a TODO is resolved where it is gone and code has changed', () => {
  expect(isGone('exports.round = Math.floor;\n')).toBe(true);
  expect(isGone('exports.round = (n) => n;\n', [{ path: 'b.js', before: null, after: 'exports.b = 1;\n' }])).toBe(true);
});

test('I9 a TODO that stays, is only removed, becomes another comment or moves is not', () => {
  expect(isGone(`${BEFORE}exports.more = 1;\n`)).toBe(false);
  expect(isGone('exports.round = (n) => n;\n')).toBe(false);
  expect(isGone('// It rounds down.\nexports.round = (n) => n;\n')).toBe(false);
  expect(isGone('\n\nexports.round = (n) => n;\n')).toBe(false);
  const moved = { path: 'b.js', before: null, after: `${BEFORE}exports.b = 1;\n` };
  expect(isGone('exports.round = Math.floor;\n', [moved])).toBe(false);
  expect(resolvedTodo(discovery, [{ path: 'c.js', before: null, after: 'exports.c = 1;\n' }]).isGone).toBe(false);
});
