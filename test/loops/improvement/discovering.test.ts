import { expect, test } from 'vitest';
import { testInTurn } from '../../support/in-turn.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';
import { all, discoveredIn, nights } from './one-night.ts';

const TESTS = `import test from 'node:test';
import assert from 'node:assert';
import { sum } from '../src/sum.mjs';
test('adds', () => assert.equal(sum(1, 2), 3));
test('adds three', { skip: true }, () => assert.equal(sum(1, 2, 3), 6));
`;
const FILES = {
  'src/sum.mjs': '// TODO: must add all numbers it gets\n// #12\nexport const sum = (a, b) => a - b;\n',
  'test/sum.test.mjs': TESTS,
  // A compiler and a linter of a project, as far as discovery sees them.
  'tools/tsc': '#!/bin/sh\necho "$PWD/src/sum.mjs(3,1): error TS7006: no type"\nexit 2\n',
  'tools/eslint': '#!/bin/sh\necho "src/sum.mjs:3:9: no var [Error/no-var]"\nexit 1\n',
};
const CHECKS = ['L0:chmod +x tools/* && tools/tsc', 'L0:chmod +x tools/* && tools/eslint .', `L1:${NODE_TESTS}`];

testInTurn('I6 I9 the planted faults of a repository are found, with the scores of their rules', async () => {
  const { listed } = await nights({
    files: FILES,
    checks: CHECKS,
    uncommitted: { 'lcov.info': 'SF:src/sum.mjs\nDA:3,0\nend_of_record\n' },
    phases: {
      experiment: { enabled: false },
      discovery: { lcov: 'lcov.info' },
      evaluate: { benchmarks: [{ name: 'sleeping', command: 'echo 12.5', metric: '([0-9.]+)', target: 10 }] },
    },
  });
  const events = await listed();
  const { discoveries, sources } = discoveredIn(events);
  expect(sources.filter(({ fault }) => fault)).toEqual([]);
  expect(discoveries.map(({ source, relevanceScore, file }) => [source, relevanceScore, file])).toEqual([
    ['failing-tests', 1, 'test/sum.test.mjs'],
    ['type-errors', 0.9, 'src/sum.mjs'],
    ['lint', 0.7, 'src/sum.mjs'],
    ['benchmarks', 0.7, undefined],
    ['skipped-tests', 0.65, 'test/sum.test.mjs'],
    ['todos', 0.65, 'src/sum.mjs'],
    ['coverage', 0.3, 'src/sum.mjs'],
  ]);
  const [filtered] = all(events, 'filter.completed');
  expect(filtered?.candidates).toHaveLength(5);
  expect([filtered?.refused, filtered?.beyond]).toEqual([1, 1]);
});

testInTurn('I9 a source that fails is told with its reason, and the others go on', async () => {
  const { listed } = await nights({
    files: { 'a.js': '// TODO: later\n' },
    phases: {
      experiment: { enabled: false },
      discovery: {
        lcov: 'absent.info',
        items: 'absent.txt',
        itemsCommand: 'exit 3',
        logs: ['absent.log'],
        sources: ['coverage', 'logs', 'todos'],
      },
      evaluate: { benchmarks: [{ name: 'broken', command: 'exit 4', target: 1 }] },
    },
  });
  const { discoveries, sources } = discoveredIn(await listed());
  expect(discoveries.map(({ title }) => title)).toEqual(['TODO: later']);
  expect(sources.map(({ source, found, fault }) => [source, found, fault?.code])).toEqual([
    ['items', 0, 'items_unreadable'],
    ['todos', 1, undefined],
    ['coverage', 0, 'coverage_unreadable'],
    ['logs', 0, 'log_unreadable'],
  ]);
});

testInTurn('I9 comments in files that git ignores are not found, and those in new files are', async () => {
  const { listed } = await nights({
    files: { '.gitignore': '.loopfold/\nbuild/\n', 'ä b.js': '// TODO: one\n' },
    uncommitted: { 'build/out.js': '// TODO: two\n', 'new.js': '// TODO: three\n' },
    options: { isolateFrom: 'files' },
  });
  const { discoveries } = discoveredIn(await listed());
  expect(discoveries.map(({ title, file }) => [title, file])).toEqual([
    ['TODO: three', 'new.js'],
    ['TODO: one', 'ä b.js'],
  ]);
});

testInTurn('I1 with discovery off, only the given list is read, and its command', async () => {
  const { listed } = await nights({
    files: { 'a.js': '// TODO: later #1\n', 'list.txt': '- from the file\n' },
    phases: {
      experiment: { enabled: false },
      discovery: { enabled: false, itemsCommand: 'echo said by the command; echo noise >&2', items: 'list.txt' },
    },
  });
  const { discoveries, sources, canChange } = discoveredIn(await listed());
  expect(sources).toEqual([{ source: 'items', found: 2 }]);
  expect(discoveries.map(({ title, relevanceScore }) => [title, relevanceScore])).toEqual([
    ['from the file', 0.5],
    ['said by the command', 0.5],
  ]);
  expect(canChange).toBe(true);
});

testInTurn(
  'I1 with the filter off all pass with a score of 1, and without experiments an iteration is free',
  async () => {
    const { listed } = await nights({
      files: { 'a.js': '// TODO: one\n// TODO: two\n' },
      phases: { experiment: { enabled: false }, filter: { enabled: false, maxCandidates: 1 } },
    });
    const events = await listed();
    const [filtered] = all(events, 'filter.completed');
    expect(filtered?.candidates.map(({ relevanceScore }) => relevanceScore)).toEqual([1, 1]);
    expect(filtered?.refused).toBe(0);
    expect(all(events, 'experiment.started')).toEqual([]);
  },
);

testInTurn('I9 what an iteration has listed is not found again, by the same ids', async () => {
  const { listed } = await nights({ files: { 'a.js': '// TODO: one\n// FIXME two\n' } });
  const options = { maxIterations: 3 };
  const phases = {
    experiment: { enabled: false },
    filter: { minRelevanceScore: 0 },
    discovery: { itemsCommand: 'true' },
  };
  const [first, second] = all(await listed({ phases, options }), 'discovery.completed');
  expect(first?.discoveries).toHaveLength(2);
  expect([second?.discoveries, second?.known]).toEqual([[], 2]);
  const [again] = all(await listed({ phases, options }), 'discovery.completed');
  expect(again?.discoveries).toEqual(first?.discoveries);
});

testInTurn('I9 errors of logs and of earlier runs of the project are found', async () => {
  const { listed, failed } = await nights({
    files: { 'a.js': '\n' },
    uncommitted: { 'app.log': 'ERROR no route to 10:00:01\nERROR no route to 10:00:02\n' },
  });
  await failed('L0:echo "the disk is gone"; exit 1');
  const phases = {
    experiment: { enabled: false },
    discovery: { sources: ['runs' as const, 'logs' as const], logs: ['app.log'] },
  };
  const { discoveries, canChange } = discoveredIn(await listed({ phases }));
  expect(discoveries.map(({ source, title, relevanceScore }) => [source, relevanceScore, title])).toEqual([
    ['logs', 0.65, 'Error in a log: ERROR no route to 10:00:01'],
    ['runs', 0.4, expect.stringContaining('the disk is gone')],
  ]);
  expect(canChange).toBe(true);
});

test('I9 a comment in a file with a line break in its name is of that file', async () => {
  const { listed } = await nights({ files: { 'new\nline.js': 'x();\n// TODO: one\n', 'z.js': '// TODO: two\n' } });
  const { discoveries } = discoveredIn(await listed());
  expect(discoveries.map(({ title, file }) => [title, file])).toEqual([
    ['TODO: one', 'new\nline.js'],
    ['TODO: two', 'z.js'],
  ]);
});

testInTurn('I6 I9 of 10,000 comments the most relevant ones are found, wherever they are', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `// TODO: tidy up ${index}\n`).join('');
  const { listed } = await nights({ files: { 'a.js': many, 'z.js': '// TODO: an empty list should give 0\n' } });
  const { discoveries, sources, left } = discoveredIn(await listed());
  expect(discoveries[0]).toMatchObject({ file: 'z.js', relevanceScore: 0.65 });
  expect([discoveries.length, left]).toEqual([200, 9_801]);
  expect(sources.find(({ source }) => source === 'todos')).toEqual({ source: 'todos', found: 10_001 });
});

testInTurn('I9 of more comments than are read, that is said', async () => {
  const many = Array.from({ length: 20_001 }, (_, index) => `// TODO: tidy up ${index}\n`).join('');
  const { listed } = await nights({ files: { 'a.js': many } });
  const { sources } = discoveredIn(await listed());
  expect(sources.find(({ source }) => source === 'todos')).toMatchObject({
    found: 20_000,
    fault: { code: 'todos_too_many', message: 'of 20,001 lines with TODO or FIXME the first 20,000 are read' },
  });
});
