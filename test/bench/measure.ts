import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One line of the report: what was measured, and the bound it must keep. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Between which values the true one lies with 95 % confidence, where it is a median of many blocks. */
  readonly low?: number;
  readonly high?: number;
  /** The number asked for. */
  readonly bound: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** An absolute figure depends on the machine: it is only asserted at twice its bound. */
  readonly absolute?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** Runs something several times in a folder of its own and hands back every result. */
export async function repeated<Result>(
  times: number,
  work: (folder: string, round: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < times; round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'loopfold-bench-'));
    try {
      results.push(await work(folder, round));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return results;
}

export async function wallSeconds(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

export async function cpuMicroseconds(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Heap in use once nothing but what is reachable is left. Needs `--expose-gc`. */
export function heapMegabytes(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}

export function holds({ value, bound, absolute }: Figure): boolean {
  if (bound === null) return true;
  const slack = absolute ? 2 : 1;
  return 'atLeast' in bound ? value >= bound.atLeast / slack : value <= bound.atMost * slack;
}
