import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ofCommand } from './rulings.ts';

const NO_PUSH = ['deny shell command=git push'];
const ONLY_TESTS = ['allow shell command=npm test', 'deny shell'];

const DISGUISED = [
  'git push',
  'git push origin main',
  "g'i't push",
  'git \\\n push',
  '/usr/bin/git push',
  'git -C app push',
  'git --no-pager -c a=b push',
  'sudo git push',
  'env A=1 git push',
  'A=1 git push',
  'timeout 5s git push',
  'true && git push',
  'ls | xargs git push',
  '(cd app; git push)',
  'if true; then git push; fi',
  'for a in 1 2; do git push; done',
  'f() { git push; }; f',
  'echo "$(git push)"',
  'echo `git push`',
  'cat <(git push)',
  'cat <<E\n$(git push)\nE',
  'bash -c "git push"',
  "sudo sh -ec 'cd x && git push'",
  'eval git push',
  'find . -exec git push {} \\;',
  'git push > /dev/null 2>&1 &',
];

test.each(DISGUISED)('X9 a denied command is found in whatever way it is started: %s', (command) => {
  expect(ofCommand(NO_PUSH, command)).toBe('deny');
});

test.each(['git log --grep push', 'git commit -m push', 'git status', 'echo git push', 'npm run push'])(
  'X9 a command that only names it is allowed: %s',
  (command) => {
    expect(ofCommand(NO_PUSH, command)).toBe('allow');
  },
);

test.each(['$GIT push', 'git $WHAT', 'bash -c "$X"', 'eval "$X"', 'echo "abc', 'if then', 'git pu{sh,ll}'])(
  'X9 what cannot be read before it runs is asked: %s',
  (command) => {
    expect(ofCommand(NO_PUSH, command)).toBe('ask');
  },
);

test('X9 of a compound each command has to be allowed, whatever joins them', () => {
  const joined = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & ');
  const other = fc.constantFrom('rm -rf x', 'npm publish', 'npm', 'sudo npm test', 'A=1 npm test', './npm test');
  fc.assert(
    fc.property(joined, other, fc.boolean(), (join, command, isFirst) => {
      const both = isFirst ? [command, 'npm test'] : ['npm test', command];
      expect(ofCommand(ONLY_TESTS, both.join(join))).toBe('deny');
      expect(ofCommand(ONLY_TESTS, ['npm test', 'npm test -- a'].join(join))).toBe('allow');
    }),
  );
});

test('X9 a command that is allowed may not write where an edit may not', () => {
  const set = ['allow shell command=echo', 'deny edit path=src/**'];
  expect(ofCommand(set, 'echo 1 > out.txt')).toBe('allow');
  expect(ofCommand(set, 'echo 1 > src/a.ts')).toBe('deny');
  expect(ofCommand(set, 'echo 1 >> ./app/../src/a.ts')).toBe('deny');
  expect(ofCommand(set, 'echo 1 > "$OUT"')).toBe('ask');
});

test('X9 a path that a command names counts for what denies, and never for what allows', () => {
  expect(ofCommand(['deny * path=secrets/**'], 'cat secrets/key')).toBe('deny');
  expect(ofCommand(['deny * path=secrets/**'], 'cat /here/secrets/key')).toBe('deny');
  expect(ofCommand(['allow * path=docs/**', 'deny shell'], 'cat docs/a.md')).toBe('deny');
});
