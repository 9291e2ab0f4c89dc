import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** How long to read what the terminal has buffered. */
const FORGET_MS = 30;
const CTRL_C = '\u0003';

/**
 * Discards what was typed before the question, an unfinished line included: only a raw terminal hands that out.
 */
export async function forgetTyped(input: NodeJS.ReadStream): Promise<void> {
  const hear = (typed: Buffer | string) => {
    if (typed.includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
  };
  // A terminal that was hung up: the next read reports it.
  const ignore = () => {};
  input.on('error', ignore).on('data', hear);
  input.setRawMode(true).resume();
  await delay(FORGET_MS);
  input.setRawMode(false).pause();
  input.off('data', hear).off('error', ignore);
}

/** A line, or why there is none. `closed`: the input has ended. `withdrawn`: the question is no longer open. */
export type Reply = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'closed' | 'withdrawn' };

/** The next line that the user types. The terminal keeps its mode: it echoes, edits, and sends Ctrl-C as a signal. */
export async function readLine(input: NodeJS.ReadStream, signal: AbortSignal): Promise<Reply> {
  if (signal.aborted) return { kind: 'withdrawn' };
  if (input.destroyed) return { kind: 'closed' };
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const lines = createInterface({ input, terminal: false });
  const withdraw = () => resolve({ kind: 'withdrawn' });
  const close = () => resolve({ kind: 'closed' });
  lines.once('line', (text) => resolve({ kind: 'line', text }));
  lines.once('close', close);
  // A terminal that was hung up.
  input.once('error', close);
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', withdraw);
    input.off('error', close);
    lines.close();
    input.pause();
  }
}
