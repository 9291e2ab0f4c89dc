import { expect, test } from 'vitest';
import { isReading } from '../../src/evidence/reading-commands.ts';

const reads = (command: string): boolean => isReading(command.split(' '));

const RUNS = [
  'find . -name *.test.mjs -exec node {} +',
  'find . -execdir sh {} ;',
  'find . -ok rm {} ;',
  'find . -delete',
  'rg --pre ./decode x',
  'rg --pre=./decode x',
  'sort --compress-program ./gzip a.txt',
  'rustc --test a.rs',
  'go vet -vettool=./mine ./...',
  'gcc -wrapper ./mine a.c',
  'sed -n 1p a.txt',
  'awk {system($0)} a.txt',
  'sleep 1',
  'git bisect run ./a.sh',
  'git submodule foreach ./a.sh',
  'git -c alias.x=!./a.sh x',
  'git -c core.pager=./a.sh log',
  'git grep --open-files-in-pager=./a.sh x',
  'git',
];

test.each(RUNS)('V15 a check is no reader where its program can run others: %s', (command) => {
  expect(reads(command)).toBe(false);
});

const READS = [
  'find . -name *.ts -print',
  'rg --files x',
  'sort a.txt',
  'rustc a.rs',
  'go vet ./...',
  'gcc -Wall a.c',
  'git diff --exit-code',
  'git --no-pager diff --quiet',
  'git -C web status --porcelain',
  'git grep -q x',
  'git ls-files',
];

test.each(READS)('V15 the same program reads without such an argument: %s', (command) => {
  expect(reads(command)).toBe(true);
});
