import { expect } from 'vitest';
import type { Theatre } from './harness.ts';
import type { Story } from './story.ts';

/** How a scenario went: what there was after each kill, and in the end. */
export interface Played {
  readonly crashes: readonly Story[];
  readonly end: Story;
  /** Of the last process. */
  readonly appends: number;
}

/** Plays a scenario through kills, each of a process of its own, until one is not killed; and then to the end. */
export async function playThrough<Kill>(
  theatre: Theatre,
  kills: readonly Kill[],
  playUntil: (kill: Kill) => Promise<unknown>,
): Promise<Played> {
  try {
    const crashes: Story[] = [];
    for (const kill of kills) {
      if ((await playUntil(kill)) !== null) break;
      crashes.push(await theatre.story());
    }
    const last = await theatre.play();
    return { crashes, end: await theatre.story(), appends: last?.appends ?? 0 };
  } finally {
    await theatre.close();
  }
}

/** What has to hold however often a run was killed. */
export function expectSound({ crashes, end }: Played): void {
  expect(end.repeated).toEqual([]);
  expect(end.all.map(({ isIntact }) => isIntact)).not.toContain(false);
  expect(end.all.map(({ record }) => record.closed)).not.toContain(null);
  expect(new Set(end.trace).size).toBe(end.trace.length);
  expect(new Set(end.children.map(({ record }) => record.parentEffect)).size).toBe(end.children.length);
  for (const { record, interrupted } of end.children) {
    const then = crashes.flatMap(({ children }) => children.filter((one) => one.record.run === record.run));
    expect(interrupted).toEqual([...new Set(then.flatMap((one) => [...one.interrupted, ...one.onceOpen]))]);
  }
}
