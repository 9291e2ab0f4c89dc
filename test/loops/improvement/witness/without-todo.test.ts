import { expect, test } from 'vitest';
import { discoveryOf } from '../../../../src/loops/improvement/discovery/finding-facts.ts';
import { todoComments } from '../../../../src/loops/improvement/discovery/todo-comments.ts';
import { withoutTodo } from '../../../../src/loops/improvement/witness/without-todo.ts';

function without(file: string, text: string, at = 0): string {
  const lines = text.split('\n');
  const marked = lines.map((line, index) => ({
    file,
    line: index + 1,
    text: line,
    below: lines.slice(index + 1, index + 4),
  }));
  const found = todoComments(marked)[at];
  return withoutTodo(file, text, found ? discoveryOf(found).fingerprint : '');
}

test.each([
  ['a.js', '// TODO: sums must be exact\nf();\n', '\nf();\n'],
  ['a.js', 'f(); // TODO: sums must be exact\ng();\n', 'f();\ng();\n'],
  ['a.py', '# TODO: sums must be\n# exact\nf()\n', '\nf()\n'],
  ['a.js', '/* TODO: sums\n   must be exact */\nf();\n', '/* : sums\n   must be exact */\nf();\n'],
])('I12 the comment that asks for the work is out, and nothing else: %#', (file, text, left) => {
  expect(without(file, text)).toBe(left);
});

test('I12 of two comments the one that is asked for is out', () => {
  const text = '// TODO: one must be done\nf();\n// TODO: two must be done\n';
  expect(without('a.js', text, 1)).toBe('// TODO: one must be done\nf();\n\n');
  expect(withoutTodo('a.js', text, 'another')).toBe(text);
});
