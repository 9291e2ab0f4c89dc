import { parentPort, workerData } from 'node:worker_threads';

// Loads one configuration file that is code, in a thread: a thread can be ended whatever the code does.

async function exported(url: string) {
  const { default: config, ...others } = await import(url);
  if (config === undefined) return { kind: 'no_default', exports: Object.keys(others) };
  return { kind: 'config', config: await (typeof config === 'function' ? config() : config) };
}

function say(answer: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(answer);
}

const messageOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

// Not awaited at the top level: if the code never answers, the end of this thread tells the host, without a warning.
void exported(String(workerData))
  .catch((error: unknown) => ({ kind: 'threw', message: messageOf(error) }))
  .then(say)
  .catch((error: unknown) => say({ kind: 'no_data', message: messageOf(error) }));
