import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { CommandOutput } from '../../src/actors/command-output.ts';
import { wholeOutputsOf } from '../../src/actors/whole-output.ts';
import { fc } from '../support/fast-check.ts';

const MAX_BYTES = 16_384;
const RED = '\u001B[31m';
const LINE = `${RED}${'x'.repeat(110)}\u001B[0m\n`;
const FAILED = 'FAIL src/money.test.ts > rounds: expected 3 got 4';

/** A run of which the outputs are removed after the test. */
function aRun(name: string): string {
  onTestFinished(() => {
    const place = wholeOutputsOf(name);
    if (place !== null) return rm(place, { recursive: true });
  });
  return name;
}

test('B8 a failure in the middle of 6 MB with colours is kept, in its place, without an escape code', () => {
  const output = new CommandOutput(MAX_BYTES, null);
  for (let half = 0; half < 2; half += 1) {
    for (let line = 0; line < 25_000; line += 1) output.add(LINE);
    if (half === 0) output.add(`${RED}\u001B[1m${FAILED}\u001B[0m\n`);
  }
  const { output: text } = output.end();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  expect(text).toMatch(/^x+\n[^]*\n\[… \d+ bytes left out …\]\nFAIL src\/money[^\n]*4\n\[… \d+ bytes/);
  expect(text).not.toContain('\u001B');
});

test('B8 of ten thousand failures the first and the last ones are kept, each once, within the limit', () => {
  const output = new CommandOutput(MAX_BYTES, null);
  output.add('y\n'.repeat(MAX_BYTES));
  for (let one = 0; one < 10_000; one += 1) output.add(`✗ test-${one} broke\n✗ again and again\n`);
  output.add('y\n'.repeat(MAX_BYTES));
  const { output: text } = output.end();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  expect(text).toContain('✗ test-0 broke\n');
  expect(text).toContain('✗ test-9999 broke\n');
  expect(text.match(/again and again/g)?.length ?? 0).toBeLessThanOrEqual(1);
});

test('B8 the bytes that are left out add up, whatever is cut and wherever failures stand', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('ä ok\n', 'error: ö\n', `${'z'.repeat(90)}\n`, `failed ${'é'.repeat(300)}\n`), {
        minLength: 1,
        maxLength: 300,
      }),
      fc.integer({ min: 400, max: 4_000 }),
      (lines, maxBytes) => {
        const output = new CommandOutput(maxBytes, null);
        for (const line of lines) output.add(line);
        const { output: text } = output.end();
        const all = Buffer.byteLength(lines.join(''));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        const gaps = [...text.matchAll(/\n\[… (\d+) bytes left out …\]\n/g)];
        const shown = Buffer.byteLength(text.replaceAll(/\n\[… \d+ bytes left out …\]\n/g, ''));
        expect(gaps.reduce((sum, [, bytes]) => sum + Number(bytes), shown)).toBe(all);
      },
    ),
  ));

test('B8 progress that a line prints over itself is left out, and line ends of Windows are newlines', () => {
  const output = new CommandOutput(MAX_BYTES, null);
  for (const piece of ['10 %', '\r20', ' %\r', '\nend\r', '\n\u001B]0;title\u0007last']) output.add(piece);
  expect(output.end()).toEqual({ output: '20 %\nend\nlast' });
});

test('B8 an output that is too long is whole in files of its run, and the same output in the same place', () => {
  const [run, other] = [aRun('whole-1'), aRun('whole-2')];
  const made = (keptFor: string | null) => {
    const output = new CommandOutput(MAX_BYTES, keptFor);
    for (let line = 0; line < 60_000; line += 1) output.add(`${RED}${line} ${'x'.repeat(100)}\n`);
    return output.end();
  };
  const [{ whole }, again] = [made(run), made(run)];
  expect(again.whole).toBe(whole);
  const [, place = ''] = /^the whole output is in (\S+) \(2 files\): read or grep it there$/.exec(whole ?? '') ?? [];
  expect(dirname(place)).toBe(wholeOutputsOf(run));
  const text = readdirSync(place)
    .map((name) => readFileSync(`${place}/${name}`, 'utf8'))
    .join('');
  expect(text.split('\n')).toHaveLength(60_001);
  expect(text).toMatch(/^0 x+\n1 x+\n[^]*\n59999 x+\n$/);
  expect(text).not.toContain('\u001B');
  expect(wholeOutputsOf(other)).toBe(null);
  expect(made(null)).not.toHaveProperty('whole');
});

test('B8 a short output is in no file', () => {
  const output = new CommandOutput(MAX_BYTES, aRun('whole-3'));
  output.add('short\n');
  expect(output.end()).toEqual({ output: 'short\n' });
  expect(wholeOutputsOf('whole-3')).toBe(null);
});

test('B8 titles of a terminal without an end are taken out, and what they name stays', () => {
  const output = new CommandOutput(MAX_BYTES, null);
  output.add('\u001B]0;t'.repeat(8_000));
  output.add('\n');
  const { output: text } = output.end();
  expect(text).toContain('0;t0;t');
  expect(text).not.toContain('\u001B');
});
