import { expect, test } from 'vitest';
import { sectionsOf } from '../../src/text/git-config-sections.ts';

test('X4 a configuration of git is read section by section, also where headers share a line', () => {
  const text = [
    'lost = 1',
    '[core] bare = false',
    '\tpager = sh',
    '[branch "a]b"]',
    '\tremote = origin',
    '[branch "main"] [alias]',
    '\tst = !sh',
    '[core]',
    'editor = vi',
    '[odd?]',
    'x = 1',
  ].join('\n');
  expect([...sectionsOf(text)]).toEqual([
    ['', ['lost = 1', '[odd?]', 'x = 1']],
    ['core', ['bare = false', 'pager = sh', 'editor = vi']],
    ['branch "a]b"', ['remote = origin']],
    ['alias', ['st = !sh']],
  ]);
});
