import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { Mailbox, MAILBOX_LIMIT_MESSAGES } from '../../src/runtime/mailbox.ts';
import type { RunMessage, PostResult } from '../../src/kernel/run-message.ts';

const letter = (message: string, answered?: RunMessage['answered']): RunMessage => ({
  event: { type: 'warning.raised', payload: { code: 'n', message } },
  causation: null,
  ...(answered ? { answered } : {}),
});
const said = ({ event }: { event: LoopEvent }) => (event.type === 'warning.raised' ? event.payload.message : '');

test('messages come out one at a time, in the order they came in, whichever side waits', async () => {
  const box = new Mailbox();
  const first = box.take();
  await Promise.all([box.post(letter('a')), box.post(letter('b')), box.post(letter('c'))]);
  const taken = [await first, await box.take(), await box.take()];
  expect(taken.map((one) => one && said(one))).toEqual(['a', 'b', 'c']);
});

test('a full box makes its producers wait, and lets one in for each letter taken', async () => {
  const box = new Mailbox();
  for (let index = 0; index < MAILBOX_LIMIT_MESSAGES; index += 1) await box.post(letter(String(index)));
  const inside: string[] = [];
  const waiting = ['x', 'y'].map((name) => box.post(letter(name)).then(() => inside.push(name)));
  await Promise.resolve();
  expect(inside).toEqual([]);
  await box.take();
  await waiting[0];
  expect(inside).toEqual(['x']);
  await box.take();
  await waiting[1];
  const rest: string[] = [];
  for (let index = 0; index < MAILBOX_LIMIT_MESSAGES; index += 1) rest.push(said((await box.take()) ?? letter('none')));
  expect(rest.slice(-2)).toEqual(['x', 'y']);
});

test('a box that closes rejects what lies in it, what waits outside and what comes later', async () => {
  const box = new Mailbox();
  const verdicts: PostResult[] = [];
  const heard = (verdict: PostResult) => void verdicts.push(verdict);
  for (let index = 0; index < MAILBOX_LIMIT_MESSAGES; index += 1) await box.post(letter('in', heard));
  const outside = box.post(letter('outside', heard));
  box.close('ended');
  await outside;
  await box.post(letter('late', heard));
  expect(verdicts).toEqual(
    Array.from({ length: MAILBOX_LIMIT_MESSAGES + 2 }, () => ({ kind: 'rejected', because: 'ended' })),
  );
  expect(await box.take()).toBeNull();
});

test('a reader that waits learns that the box has closed', async () => {
  const box = new Mailbox();
  const taken = box.take();
  box.close('left');
  expect(await taken).toBeNull();
});
