import { expect, test } from 'vitest';
import { excerptOfOutput } from '../../src/text/excerpt.ts';
import { tellsOfFailure, withoutRunnerFrames } from '../../src/text/failure-line.ts';
import { fc } from '../support/fast-check.ts';

test('B8 an output that is cut keeps the lines of its middle that name a failure', () => {
  const filler = 'ok\n'.repeat(1_000);
  const cut = excerptOfOutput(`first\n${filler}error TS2304: no name 'x'.\n${filler}last`, 1_000);
  expect(cut.length).toBeLessThanOrEqual(1_000);
  expect(cut.replaceAll(/\d+/g, 'N').replaceAll(/(ok\n)+/g, 'oks\n')).toBe(
    "first\noks\n[… N characters left out …]\nerror TSN: no name 'x'.\n[… N characters left out …]\noks\nlast",
  );
});

test('B8 what is cut and what is left out are the whole output, and never more than the room', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('ok', 'it failed', `error: ${'e'.repeat(400)}`, 'x'.repeat(70)), { maxLength: 400 }),
      fc.integer({ min: 600, max: 3_000 }),
      (lines, room) => {
        const whole = lines.join('\n');
        const cut = excerptOfOutput(whole, room);
        expect(cut.length).toBeLessThanOrEqual(room);
        if (whole.length <= room) expect(cut).toBe(whole);
        else expect(cut).toContain('characters left out');
      },
    ),
  ));

test('B8 frames of Node and of test runners are left out, those of the work stay', () => {
  const frames = [
    '    at add (file:///project/sum.mjs:2:9)',
    '    at Test.runInAsyncScope (node:async_hooks:214:14)',
    '    at Test.run (node:internal/test_runner/test:1047:25)',
    ' ❯ node_modules/vitest/dist/chunks/run.js:12:3',
    '    at Object.run (/project/node_modules/jest-circus/build/run.js:1:2)',
    '    at work (/project/node_modules/left-pad/index.js:1:2)',
  ];
  expect(withoutRunnerFrames(frames.join('\n')).split('\n')).toEqual([frames[0], frames[5]]);
});

test.each([
  ['✖ subtracts (1.2ms)', true],
  ['src/a.ts(1,2): error TS2304: no name', true],
  ['AssertionError: expected 3 to be 4', true],
  ['    at fails (a.test.js:1:2)', false],
  ['ℹ fail 0', false],
  ['0 errors, 0 failures', false],
  ['all is well', false],
])('B8 whether a line names a failure: %s', (line, tells) => {
  expect(tellsOfFailure(line)).toBe(tells);
});
