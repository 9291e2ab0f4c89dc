import { expect, test, vi } from 'vitest';
import { seed } from '../support/seed.ts';
import { takesAll, tenthOf } from '../support/tenth.ts';
import { live } from './world/live.ts';
import { askedSeed, complaint } from './world/reproducing.ts';

// Whole loops on one simulated machine: the real runtime, and beneath it a disk, a clock and processes that a seed
// draws. No time passes, so that thousands of crashes take seconds.

vi.mock('node:timers/promises', () => import('./world/timers-promises.ts'));
vi.mock('../../src/log/log.ts', async (original) => ({ ...(await original<object>()), SNAPSHOT_EVERY_EVENTS: 6 }));

const PARTS = Array.from({ length: 10 }, (_, index) => index);
/** Of a part; `npm test` tries less of it, with other seeds for each commit. */
const CRASHES = takesAll ? 1_000 : 200;
/** Between the seeds of two parts: more than a part takes. */
const APART = 100_003;
const LEAST_ENDINGS = ['abort', 'budget', 'cap_hit', 'success'];

const asked = askedSeed(process.env);

test.runIf(asked !== null)('the life of one seed', async () => {
  const report = await live(asked ?? 0);
  process.stdout.write(`${report.trace.join('\n')}\n`);
  if (report.violations.length > 0) throw new Error(complaint(report));
});

test.runIf(asked === null).each(tenthOf(PARTS))(
  'a run survives every crash of its machine, and ends once: part %i',
  async (part) => {
    const endings = new Set<string | null>();
    let crashes = 0;
    for (let index = 0; crashes < CRASHES; index += 1) {
      const report = await live((seed + part * APART + index) % 2 ** 31);
      if (report.violations.length > 0) throw new Error(complaint(report));
      crashes += report.crashes;
      endings.add(report.ending);
    }
    expect([...endings]).toEqual(expect.arrayContaining(LEAST_ENDINGS));
    expect(endings).not.toContain(null);
  },
);

test.runIf(asked === null)('one seed is one life: the same steps at the same times', async () => {
  for (const one of [1, 2, 3]) expect(await live(seed + one)).toEqual(await live(seed + one));
});
