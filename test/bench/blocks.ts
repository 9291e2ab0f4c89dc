import { cpuMicroseconds, wallSeconds } from './measure.ts';

/** One thing that is measured in blocks: `work` does so many units of it, and says how many. */
export interface Lane {
  readonly name: string;
  readonly work: () => Promise<number>;
}

/** What one block took. */
export interface Block {
  readonly units: number;
  readonly seconds: number;
  readonly cpuMicroseconds: number;
}

/** What the blocks of one lane took, in the order of the rounds. */
export type Blocks = Readonly<Record<string, readonly Block[]>>;

/**
 * Blocks of several lanes in one process, taking turns, so that a busy machine slows all of them alike. The lanes
 * change places from round to round. The first rounds warm the program up, and are not kept.
 */
export async function interleaved(
  lanes: readonly Lane[],
  { warm, rounds }: { readonly warm: number; readonly rounds: number },
): Promise<Blocks> {
  const kept: Record<string, Block[]> = Object.fromEntries(lanes.map(({ name }) => [name, []]));
  for (let round = 0; round < warm + rounds; round += 1) {
    const first = round % lanes.length;
    for (const lane of [...lanes.slice(first), ...lanes.slice(0, first)]) {
      const block = await measured(lane);
      if (round >= warm) kept[lane.name]?.push(block);
    }
  }
  return kept;
}

async function measured({ work }: Lane): Promise<Block> {
  let [units, seconds] = [0, 0];
  const cpu = await cpuMicroseconds(async () => {
    seconds = await wallSeconds(async () => {
      units = await work();
    });
  });
  return { units, seconds, cpuMicroseconds: cpu };
}

/** Units a second, block by block. */
export const rates = (blocks: readonly Block[] = []): number[] => blocks.map(({ units, seconds }) => units / seconds);

/** CPU time of one unit in microseconds, block by block. */
export const costs = (blocks: readonly Block[] = []): number[] =>
  blocks.map(({ units, cpuMicroseconds: cpu }) => cpu / units);

/** What each round has of one, divided by what the same round has of the other. */
export const ratios = (some: readonly number[], others: readonly number[]): number[] =>
  some.map((value, round) => value / (others[round] ?? Number.NaN));
