import { parentPort } from 'node:worker_threads';

// Stands in for one who looks at a mutant that never comes to rest.
parentPort?.on('message', () => {
  for (;;);
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window.
parentPort?.postMessage('ready');
