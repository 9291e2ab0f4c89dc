import * as restate from '@restatedev/restate-sdk';
import { openSqliteLog } from 'loopfold';
import { restateLoops, wakeRuns } from 'loopfold/restate';

// A service of loops, which Restate calls: `node service.ts`. Its model and its checks are its own.

const log = openSqliteLog('.loopfold/log.db');
const loops = await restateLoops({
  log,
  run: { model: 'openai/gpt-5', checks: ['npm test'], directory: process.cwd() },
});
const over = new AbortController();
process.once('SIGTERM', () => over.abort());
// Answers that `loopfold answer` takes reach runs that wait.
void wakeRuns(log, { ingress: 'http://127.0.0.1:8080', signal: over.signal, warn: console.warn });
await restate.serve({ services: [loops], port: 9080 });
