import { expect, test } from 'vitest';
import { editIdentity } from '../../../src/actors/tools/edit.ts';

const edit = (oldText: string, newText: string, path = 'a.py') => editIdentity({ path, oldText, newText });

test('D0+ edits that only move white space in the same text are the same edit', () => {
  expect(edit('  return x', '    return x')).toEqual(edit('return x\n', '\treturn x'));
});

test('D0+ another text, another file or another word is another edit', () => {
  const one = edit('  return x', '    return x');
  for (const other of [edit('  return y', '    return y'), edit('  return x', '    return x', 'b.py')])
    expect(other).not.toEqual(one);
  expect(edit('\n', '\n\n')).not.toEqual(edit('\n\n', ''));
  const given = { path: 'a.py', oldText: 'return x', newText: 'return y' };
  expect(editIdentity(given)).toBe(given);
});

test.each([null, [], 'text', { path: 'a' }, { path: 1, oldText: '', newText: '' }])(
  'D0+ %j is left as it is',
  (given) => expect(editIdentity(given)).toBe(given),
);
