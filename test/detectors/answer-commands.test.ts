import { describe, expect, test } from 'vitest';
import { answersWithOne } from '../../src/detectors/answer-commands.ts';

describe('D13 a status of 1 is an answer', () => {
  test.each([
    'grep -rn main src',
    'rg "a b"',
    'diff a b',
    'cmp a b',
    'test -f a',
    '[ -f a ]',
    '[[ -f a && -f b ]]',
    'which node',
    '/usr/bin/grep x f',
    'LC_ALL=C grep x f',
    'env LC_ALL=C FOO=1 grep x f',
    'timeout 10 grep x f',
    'sudo -n grep x f',
    'time grep x f',
    '! grep x f',
    'command -v deno',
    'cat f | grep x',
    'find . -name "*.ts" | xargs grep -l main',
    'cd src && grep x f',
    'cd src && export A=1 && grep x f',
    'npm run build; grep x out.txt',
    'npm run build || grep x out.txt',
    'npm run build\ngrep x out.txt',
    '(cd src && rg x)',
    '{ ls; grep x f; }',
    'grep x f > found.txt 2>/dev/null',
    'test -f a && grep x a',
    "bash -lc 'grep x f'",
    'sh -c "cd a && rg x"',
    'git grep main',
    'git -C sub --no-pager grep main',
    'git diff --exit-code',
    'git diff --quiet HEAD~1',
    'git merge-base --is-ancestor a b',
  ])('D13 of %s', (command) => expect(answersWithOne(command)).toBe(true));

  test.each([
    '',
    'npm test',
    'grep x f && npm test',
    'npm test && grep x f',
    'grep x f | tee out.txt; false',
    'grep x f || exit 1',
    'cat f | grep x | node report.js',
    'git diff',
    'git push',
    'git -C grep status',
    'bash grep.sh',
    'bash test unit',
    'sh -c "npm test"',
    'if grep x f; then npm test; fi',
    'node grep',
    'echo "grep',
    'mygrep x',
    'grep x f; npm test',
  ])('D13 not of %j', (command) => expect(answersWithOne(command)).toBe(false));

  test('D13 a command in a command in a command is looked into, and not for ever', () => {
    const nested = (depth: number): string =>
      Array.from({ length: depth }).reduce<string>((inner) => `sh -c '${inner.replaceAll("'", `'\\''`)}'`, 'grep x f');
    expect([nested(2), nested(6)].map((command) => answersWithOne(command))).toEqual([true, false]);
  });
});
