import { expect, test } from 'vitest';
import { changedRepository } from '../../../../src/evidence/repository-change.ts';
import { namesFolder, originRemarks } from '../../../../src/loops/improvement/evaluation/origin-change.ts';

test.each([
  ['git -C /srv/shop commit', true],
  ['echo x > /srv/shop/src/a.js', true],
  ['cd /srv/shop', true],
  ['cd ../../.. && git branch mine', true],
  ['cd ../../../ && git branch mine', true],
  ['cat /srv/shop/.loopfold/worktrees/018f/src/a.js', false],
  ['cat /srv/shop/.loopfold/worktrees/018f/a.js /srv/shop/a.js', true],
  ['cat /srv/shopping/a.js', false],
  ['cat ../../shop', false],
  ['three dots ...', false],
])('I9 whether a text names the folder of the person: %s', (text, isNamed) => {
  expect(namesFolder(text, ['/srv/shop'])).toBe(isNamed);
});

test('I9 what git goes by is told from what a person at work changes, own branches from others', () => {
  const before = { HEAD: '1', 'refs/heads/main': '1', 'refs/tags/v1': '1', 'hooks/pre-push': '1', 'config a.b': '1' };
  const after = {
    HEAD: '2',
    'refs/heads/main': '2',
    'refs/heads/loopfold/night': '1',
    'refs/heads/loopfold/other': '1',
    'refs/replace/12': '1',
    'config a.b': '2',
  };
  expect(changedRepository(before, after, 'refs/heads/loopfold/night')).toEqual({
    decisive: ['config a.b', 'hooks/pre-push', 'refs/heads/loopfold/night', 'refs/replace/12'],
    ordinary: ['HEAD', 'refs/heads/loopfold/other', 'refs/heads/main', 'refs/tags/v1'],
  });
  expect(changedRepository(before, { ...before }, null)).toEqual({ decisive: [], ordinary: [] });
});

test('I9 a long list of changed files is cut, and files that could not be compared are not told', () => {
  const of = { origin: '/srv/shop', candidate: 'it', decisive: [], ordinary: [], isNamed: false };
  const files = Array.from({ length: 12 }, (_, index) => `${index}.js`);
  expect(originRemarks({ ...of, files })[0]?.message).toContain('9.js and 2 more changed while the experiment it');
  expect(originRemarks({ ...of, files: null })).toEqual([]);
});
