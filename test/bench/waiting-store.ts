import { filter, firstValueFrom } from 'rxjs';
import type { Model } from '../../src/actors/model/model.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import { thisProcess } from '../../src/log/holder.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';

/** Runs that are written in one commit. */
const AT_ONCE = 200;
const NAME_DIGITS = 12;

/** Asks, and has done once it is answered. */
const asks: Model = {
  name: 'asks',
  answer: async ({ step }) => ({
    ...(step === 0
      ? { text: '', calls: [{ tool: 'ask_user', arguments: { question: 'Which?', choices: [] } }] }
      : { text: 'done' }),
    usage: { inputTokens: 1, outputTokens: 1 },
  }),
};

export const askingLoops = (log: Log): Loops => new Loops({ log, model: asks });

export const startAsking = (loops: Loops, directory: string) =>
  loops.start({ prompt: 'Ask.', loop: 'turn', directory, tools: ['ask_user'], maxSteps: 5 });

/** A store of runs that have left their process because they wait for an answer: all are like the one that was run. */
export async function waitingStore(path: string, directory: string, count: number): Promise<readonly string[]> {
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const live = await startAsking(askingLoops(log), directory);
  await firstValueFrom(live.waiting.pipe(filter((waits) => waits)));
  await live.pause('waiting');
  await live.done;
  const events: Envelope[] = [];
  for await (const event of log.read(live.run)) events.push(event);
  const names = Array.from(
    { length: count - 1 },
    (_, n) => `${live.run.slice(0, -NAME_DIGITS)}${String(n).padStart(NAME_DIGITS, '0')}`,
  );
  for (let n = 0; n < names.length; n += AT_ONCE)
    await Promise.all(names.slice(n, n + AT_ONCE).map((run) => write(log, run, events)));
  await log.close();
  return [live.run, ...names];
}

async function write(log: Log, run: string, events: readonly Envelope[]): Promise<void> {
  const taken = await log.acquire(run, thisProcess());
  if (taken.kind !== 'leased') throw new Error(`${run} is held`);
  const written = await log.append({ run, events, expectedVersion: 0, epoch: taken.lease.epoch });
  if (written.kind !== 'appended') throw new Error(`${run}: ${written.kind}`);
  await log.release(taken.lease);
}
