import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { MarkedOutput } from '../../../src/actors/workspace/marked-output.ts';
import { fc } from '../../support/fast-check.ts';

const MARK = 'mark-4f2a';
const MAX_BYTES = 20;

/** What is made of a text that comes in these pieces. */
async function told(pieces: readonly string[]) {
  const stream = new PassThrough();
  const told: string[] = [];
  const output = new MarkedOutput(stream, MARK, MAX_BYTES, {
    tooMuch: () => told.push('too much'),
    ended: () => told.push('ended'),
  });
  for (const piece of pieces) {
    stream.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  output.stop();
  return { told, status: output.status, printed: Buffer.from(output.bytes()).toString() };
}

/** A text cut anywhere. */
const pieces = (text: string) =>
  fc.array(fc.nat(text.length), { maxLength: 6 }).map((cuts) => {
    const at = [0, ...cuts.toSorted((one, other) => one - other), text.length];
    return at.slice(1).map((to, index) => text.slice(at[index], to));
  });

test('what stands between the marks is the output, wherever it is cut, and whatever comes before and after', () =>
  fc.assert(
    fc.asyncProperty(
      fc
        .tuple(fc.constantFrom('', 'noise\n'), fc.constantFrom('', 'first\n', 'no line'), fc.nat(255), fc.nat(9))
        .chain(([before, printed, status, after]) =>
          fc.record({
            printed: fc.constant(printed),
            status: fc.constant(status),
            parts: pieces(`${before}${MARK}\n${printed}${MARK} ${status}\n${'noise\n'.repeat(after)}`),
          }),
        ),
      async ({ printed, status, parts }) => {
        expect(await told(parts)).toEqual({ told: ['ended'], status: String(status), printed });
      },
    ),
    { numRuns: 200 },
  ));

test('more than the limit is too much, and as much as it is not', async () => {
  const of = (bytes: number) => told([`${MARK}\n`, 'x'.repeat(bytes), `${MARK} 0\n`]);
  expect((await of(MAX_BYTES)).told).toEqual(['ended']);
  expect((await of(MAX_BYTES + 1)).told).toEqual(['too much']);
});
