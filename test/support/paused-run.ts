import type { Log } from '../../src/log/log.ts';
import { createHarness } from './harness.ts';
import { untilStopped } from './stand-ins.ts';

/** A turn that was paused in the middle of a call. */
export async function pausedRun(log: Log) {
  const harness = createHarness({
    log,
    tools: [untilStopped('slow')],
    model: { answers: [{ calls: [{ tool: 'slow' }] }] },
  });
  const { run, observer, pause, done } = await harness.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  await done;
  return { harness, run };
}
