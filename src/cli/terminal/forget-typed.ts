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
