import { expect, test } from 'vitest';
import { leavesNothing } from '../../src/evidence/reading-commands.ts';

const leaves = (command: string): boolean => !leavesNothing(command.split(' '));

test.each([
  'eslint --fix .',
  'oxlint --fix-suggestions',
  'ruff check --fix',
  'ruff format',
  'black .',
  'python3 -m black .',
  'isort src',
  'oxfmt',
  'rustfmt src/a.rs',
  'prettier --write .',
  'prettier -w .',
  'biome check --write',
  'gofmt -w a.go',
  'shfmt -w a.sh',
  'eslint . -o found.json',
  'eslint . --output-file=found.json',
  'mypy --txt-report out a.py',
  'tsc',
  'node a.js',
])('V16 given %s, whose files a later check may read, then it runs again with that check', (command) => {
  expect(leaves(command)).toBe(true);
});

test.each([
  'eslint .',
  'eslint --fix-dry-run .',
  'ruff check',
  'ruff format --check',
  'black --check .',
  'python3 -m isort --check-only .',
  'oxfmt --check',
  'rustfmt --check src/a.rs',
  'prettier --check .',
  'prettier -c .',
  'gofmt -l .',
  'mypy .',
  'tsc --noEmit',
])('V16 given %s, which says alone what it finds, then tests run again without it', (command) => {
  expect(leaves(command)).toBe(false);
});
