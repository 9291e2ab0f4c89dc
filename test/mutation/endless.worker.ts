import { parentPort } from 'node:worker_threads';
import type { Asked } from './trial.ts';

// Stands in for the thread that looks at mutants: one of them never comes to rest.
parentPort?.on('message', ({ id }: Asked) => {
  while (id === 'endless');
  say(null);
});
say('ready');

function say(words: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window.
  parentPort?.postMessage(words);
}
