import type { CheckCost } from '../../machines/recorded-proof.ts';
import { span } from './phrases.ts';

/** The cost of the checks of a run, with that of one more proof. Null: none of it was measured. */
export function checkCostWith(cost: CheckCost | null, more: CheckCost | undefined): CheckCost | null {
  if (!more) return cost;
  const plainCpuMs = more.plainCpuMs ?? cost?.plainCpuMs;
  return { cpuMs: (cost?.cpuMs ?? 0) + more.cpuMs, ...(plainCpuMs === undefined ? {} : { plainCpuMs }) };
}

/**
 * The CPU time of the checks in words, and how many times that of running them once it is.
 *
 * @example
 * checkCostText({ cpuMs: 5_400, plainCpuMs: 900 });
 * // 'the checks took 5.4 s of CPU time, 6.0 times what running them once takes'
 */
export function checkCostText({ cpuMs, plainCpuMs = 0 }: CheckCost): string {
  const times = plainCpuMs > 0 ? `, ${(cpuMs / plainCpuMs).toFixed(1)} times what running them once takes` : '';
  return `the checks took ${span(cpuMs)} of CPU time${times}`;
}
