import { setTimeout as wait } from 'node:timers/promises';

/**
 * An exit waits for compilations in the background, and one of those may wait for a garbage collection, which only this
 * thread can do: then the process never ends (nodejs/node#54918). Idle for so long, it lets them finish first.
 */
const SETTLE_MS = 25;

/**
 * Ends the process with its status once both streams are flushed. A timer or a socket that a loaded module has left
 * open would keep it alive for ever.
 */
export async function endProcess(status: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  await wait(SETTLE_MS);
  process.exit(status);
}

/** A stream whose reader has gone calls back as well, with an error that changes nothing. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));
