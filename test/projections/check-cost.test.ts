import { expect, test } from 'vitest';
import { checkCostText, checkCostWith } from '../../src/projections/check-cost.ts';

test('V17 the CPU time of all checks is added up over a run, and compared with running them once', () => {
  const once = checkCostWith(null, { cpuMs: 1_800, plainCpuMs: 900 });
  expect(checkCostWith(once, { cpuMs: 3_600 })).toEqual({ cpuMs: 5_400, plainCpuMs: 900 });
  expect(checkCostText({ cpuMs: 5_400, plainCpuMs: 900 })).toBe(
    'the checks took 5.4 s of CPU time, 6.0 times what running them once takes',
  );
});

test('V17 where it was not measured, nothing is said of it', () => {
  expect(checkCostWith(null, undefined)).toBeNull();
  expect(checkCostWith({ cpuMs: 900 }, undefined)).toEqual({ cpuMs: 900 });
  expect(checkCostText({ cpuMs: 900 })).toBe('the checks took 0.9 s of CPU time');
});
