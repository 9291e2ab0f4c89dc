import { parentPort } from 'node:worker_threads';
import { type Asked, findings } from './trial.ts';

// Looks at one mutant after another, in a thread that can be stopped where one of them never comes to an end.
parentPort?.on('message', (asked: Asked) => {
  say(findings(asked));
});
say('ready');

function say(words: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window.
  parentPort?.postMessage(words);
}
