import { parentPort, workerData } from 'node:worker_threads';
import { Loops, openSqliteLog, scriptedModel } from 'loopfold';
import { handleJob } from './handle-job.ts';

// A thread that carries out one job: a program with many runs keeps its own thread free.

const log = openSqliteLog(workerData.log);
const loops = new Loops({ log, model: scriptedModel(workerData.script), holds: null });
const answer = await handleJob(loops, workerData.own, workerData.job);
await log.close();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.postMessage(answer);
