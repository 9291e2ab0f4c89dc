import { describe, expect, test } from 'vitest';
import { shippedLoops } from '../../src/loops/index.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { endOf } from '../../src/runtime/continuation.ts';
import { Supervisor } from '../../src/runtime/supervisor.ts';
import { createHarness } from '../support/harness.ts';
import { ended } from '../support/run-history.ts';
import { note } from '../support/stand-ins.ts';

const model = ({ step }: { readonly step: number }) => ({ calls: [{ tool: 'note', arguments: { step } }] });

/** A run that ended by its limit of steps, on this log. */
async function capped(log: Log = memoryLog()) {
  const harness = createHarness({ log, tools: [note], model });
  const { run } = await harness.play({ maxSteps: 2 });
  return { ...harness, run };
}

describe('a run that is extended', () => {
  test('says what it was continued with, and the next continuation goes on from that', async () => {
    const { log, run, extend } = await capped();
    expect(await endOf(log, run, shippedLoops)).toMatchObject({ continued: null });
    const more = await extend(run, { limits: { maxSteps: 4 } });
    await ended(more);
    expect(await endOf(log, more.run, shippedLoops)).toMatchObject({ continued: { limits: { maxSteps: 4 } } });
  });

  test('is not continued from a log that is not what was written', async () => {
    const inner = memoryLog();
    const { run } = await capped(inner);
    const broken = { kind: 'broken', run, version: 2, reason: 'its hash differs' } as const;
    const log = { ...inner, verifyTree: async () => broken } as unknown as Log;
    const harness = createHarness({ log, tools: [note], model });
    await expect(harness.extend(run, { limits: { maxSteps: 4 } })).rejects.toThrow('its hash differs');
    expect(await inner.runs()).toHaveLength(1);
  });

  test('is refused where its machine is not known', async () => {
    const { log, run, makeHandlers } = await capped();
    const loops = shippedLoops.filter(({ id }) => id !== 'turn@1');
    const extended = await new Supervisor({ log, makeHandlers, loops }).extend(run, { limits: { maxSteps: 4 } });
    expect(extended).toMatchObject({ kind: 'unknown_machine', machine: 'turn@1' });
  });
});
