import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { Output } from '../../src/cli/terminal/output.ts';

const looks = { colour: false, redraw: false };
const pipe = () => new Writable({ write: (_chunk, _encoding, done) => done() });
const outputTo = (stream: Writable) => new Output(stream as unknown as NodeJS.WriteStream, looks);
const failing = (code: string) => Object.assign(new Error(code), { code });

test('many outputs of one stream listen to it once', () => {
  const stream = pipe();
  for (let output = 0; output < 12; output += 1) outputTo(stream);
  expect(stream.listenerCount('error')).toBe(1);
});

test.each([
  ['EPIPE', null],
  ['ENOSPC', 'ENOSPC'],
])('a stream that has failed with %s is closed for all of its outputs', async (code, failure) => {
  const stream = pipe();
  const [earlier, later] = [outputTo(stream), outputTo(stream)];
  const other = outputTo(pipe());
  stream.emit('error', failing(code));
  for (const output of [earlier, later, outputTo(stream)]) {
    expect([output.isOpen, await output.failure()]).toEqual([false, failure]);
  }
  expect([other.isOpen, await other.failure()]).toEqual([true, null]);
});
