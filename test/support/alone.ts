import { thisProcess } from '../../src/log/holder.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { asItIs } from '../../src/kernel/react.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { Tree } from '../../src/runtime/run-tree.ts';
import { batching } from './around-append.ts';
import { createHarness } from './harness.ts';
import { machineClock } from '../../src/runtime/run-clock.ts';
import { unresponsive } from './misbehaving-actors.ts';

/** A run alone in its tree, whose model never answers: to post events to. */
export async function alone() {
  const { log, batches } = batching(memoryLog());
  const model = { answers: [{ text: 'never asked' }] };
  const { settingsOf, makeHandlers } = createHarness({ model, services: { model: () => unresponsive() } });
  const leased = await log.acquire('alone', thisProcess());
  if (leased.kind !== 'leased') throw new Error('held');
  const tree = new Tree({
    log,
    makeHandlers,
    lease: leased.lease,
    ...machineClock,
    newRunId: () => 'child',
    redactFor: () => asItIs,
    loops: shippedLoops,
  });
  return { log, batches, run: await tree.begin('alone', settingsOf({ graceMs: 0 })) };
}
