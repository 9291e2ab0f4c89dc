import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { standWalls } from '../../src/actors/proof/agent-walls.ts';
import { runCommand } from '../../src/actors/subprocess.ts';
import { type Figure, median, repeated, wallSeconds } from './measure.ts';

const COMMANDS = 40;
/** Walls that are built and ended again. */
const BUILT = 20;
const REQUEST = { run: 'bench', command: 'true', timeoutMs: 20_000, maxOutputBytes: 1_000 } as const;

/** A command behind walls beside one without: the first of an attempt, whose walls are built, and a later one. */
export async function wallFigures(): Promise<readonly Figure[]> {
  const [figures = []] = await repeated(1, async (folder) => {
    const directory = realpathSync(folder);
    execFileSync('git', ['init', '-q', directory]);
    const plan = {
      home: '',
      node: dirname(process.execPath),
      network: 'none',
      environment: {},
      limits: undefined,
      homeFiles: {},
      toolHomes: [],
      writable: [directory],
      kept: [],
    } as const;
    const request = { ...REQUEST, directory, signal: new AbortController().signal };
    const stand = async () => {
      const walls = await standWalls(plan);
      if ('missing' in walls) throw new Error(walls.missing);
      return walls;
    };
    const plain: number[] = [];
    const later: number[] = [];
    const first: number[] = [];
    const standing = await stand();
    await standing.run(request);
    for (let round = 0; round < COMMANDS; round += 1) {
      plain.push(await wallSeconds(() => runCommand(request)));
      later.push(await wallSeconds(() => standing.run(request)));
    }
    await standing.end();
    for (let round = 0; round < BUILT; round += 1) {
      let walls: Awaited<ReturnType<typeof stand>> | null = null;
      first.push(
        await wallSeconds(async () => {
          walls = await stand();
          await walls.run(request);
        }),
      );
      await (walls as Awaited<ReturnType<typeof stand>> | null)?.end();
    }
    const without = median(plain);
    const added = (times: readonly number[]) => (median(times) - without) * 1_000;
    return [
      { name: 'a command without walls', value: without * 1_000, unit: 'ms', bound: null },
      { name: 'added by walls that stand', value: added(later), unit: 'ms', bound: { atMost: 15 }, absolute: true },
      { name: 'added by walls that are built', value: added(first), unit: 'ms', bound: { atMost: 80 }, absolute: true },
    ];
  });
  return figures;
}
