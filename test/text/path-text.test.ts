import { expect, test } from 'vitest';
import { pathText } from '../../src/text/path-text.ts';

test.each([
  ['src/a b.ts', 'src/a b.ts'],
  ['a  b', 'a  b'],
  ['new\nline.txt', String.raw`"new\nline.txt"`],
  ['tab\tq"uote', String.raw`"tab\tq\"uote"`],
  ['\u001b[31mred', String.raw`"\033[31mred"`],
  ['next\u2028line', String.raw`"next\342\200\250line"`],
  ['back\\slash', 'back\\slash'],
  ['ünï.txt', 'ünï.txt'],
])('the name %j is shown as %s, as git does', (path, shown) => expect(pathText(path, 200)).toBe(shown));
