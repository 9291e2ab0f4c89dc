import { expect, test } from 'vitest';
import { writtenTest } from '../../../../src/loops/improvement/witness/acceptance-answer.ts';

const CODE = "test('adds', () => equal(sum(1, 2), 3));";

test.each([
  [`1. Look.\n\nTest: test/sum.test.js\n\`\`\`js\n${CODE}\n\`\`\``],
  [`1. Look.\n\n**Test:** \`test/sum.test.js\`\n\n\`\`\`\n${CODE}\n\`\`\`\n\nThat is all.`],
  [`### Acceptance test: test/sum.test.js\n~~~ts\n${CODE}\n~~~`],
  [`- Test file: "test/sum.test.js"\r\n\`\`\`js\n${CODE}\n\`\`\``],
  [JSON.stringify({ plan: 'Look.', test: { path: 'test/sum.test.js', text: `${CODE}\n` } })],
])('I12 the test of a plan is its path and its block of code: %#', (answer) => {
  expect(writtenTest(answer)).toEqual({ path: 'test/sum.test.js', text: `${CODE}\n` });
});

test.each([
  ['Look, change, test.'],
  ['Test: run npm test\n\nThen stop.'],
  [`\`\`\`js\n${CODE}\n\`\`\``],
  ['Test: test/sum.test.js\n```js\n\n```'],
  [`Test: test/sum.test.js\n\`\`\`js\n${'x'.repeat(20_001)}\n\`\`\``],
  [JSON.stringify({ plan: 'Look.', test: null, why: 'no test can show it' })],
])('I12 a plan without a whole test has none: %#', (answer) => {
  expect(writtenTest(answer)).toBeNull();
});

test('I12 an answer of a megabyte that never closes its block is read in a moment', () => {
  const begun = performance.now();
  expect(writtenTest(`Test: a.test.js\n\`\`\`js\n${'test: x\n`` \n'.repeat(100_000)}`)).toBeNull();
  expect(performance.now() - begun).toBeLessThan(5_000);
});
