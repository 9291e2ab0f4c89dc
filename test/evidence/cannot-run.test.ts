import { expect, test } from 'vitest';
import { cannotRun, whyNotRun } from '../../src/evidence/cannot-run.ts';

const check = { name: 'tests', passed: false, output: '', exitCode: 1, durationMs: 1 };

test.each([
  ['a program that is not there', { exitCode: 127, output: '/bin/sh: 1: nothere: not found' }],
  ['a file that is no program', { exitCode: 126 }],
  ['a script that npm does not find', { output: 'npm error Missing script: "test"\nnpm error' }],
  [
    'a package that npm does not find',
    { exitCode: 254, output: 'npm error code ENOENT\nnpm error enoent Could not read package.json: Error: ENOENT' },
  ],
  ['the same of an older npm', { output: 'npm ERR! Missing script: "test"' }],
  ['a command that could not be started', { exitCode: null, output: 'could not be started: spawn E2BIG' }],
])('V1 %s says nothing of any work', (_name, changed) => {
  expect(cannotRun({ ...check, ...changed })).toBe(true);
});

test('V1 the line that says why is told, and not where npm has its log', () => {
  const log = 'npm error A complete log of this run can be found in: npm.log';
  expect(whyNotRun({ output: `npm error Missing script: "x"\n${log}\n` })).toBe('npm error Missing script: "x"');
  expect(whyNotRun({ output: 'a\nsh: 1: nothere: not found\n' })).toBe('sh: 1: nothere: not found');
});

test.each([
  ['a check that fails', { output: '1 failed' }],
  ['one that prints these words in a line', { output: 'the docs say: npm error Missing script' }],
  ['one that passes all the same', { passed: true, exitCode: 0, output: 'npm error Missing script: "x"' }],
])('V1 %s has run', (_name, changed) => {
  expect(cannotRun({ ...check, ...changed })).toBe(false);
});
