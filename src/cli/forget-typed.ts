import { setTimeout as delay } from 'node:timers/promises';

/** How long to look for what a terminal has kept. */
const FORGET_MS = 30;
const CTRL_C = '\u0003';

/** Forgets what was typed before anybody was asked, an unfinished line as well: no terminal gives that away but a raw one. */
export async function forgetTyped(input: NodeJS.ReadStream): Promise<void> {
  const hear = (typed: Buffer | string) => {
    if (typed.includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
  };
  // A terminal that was hung up: whoever reads next finds that out.
  const ignore = () => {};
  input.on('error', ignore).on('data', hear);
  input.setRawMode(true).resume();
  await delay(FORGET_MS);
  input.setRawMode(false).pause();
  input.off('data', hear).off('error', ignore);
}
