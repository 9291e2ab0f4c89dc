import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { memoryLog, openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { COMMITS_A_STEP } from './commit-ratio.ts';
import { type Blocks, costs, interleaved, rates, ratios } from './blocks.ts';
import { estimate } from './interval.ts';
import { type Figure, repeated } from './measure.ts';
import { open as openFloor } from './peers/floor.ts';
import { RawLoop, rowsOf } from './raw-loop.ts';
import { spin } from './spin.ts';
import { first } from './step-history.ts';
import { countingCommits, loopsOf, turn } from './turns.ts';

const STEPS = 20;
/** Turns of a block in sequence. */
const TURNS = 10;
const AT_ONCE = 50;
const SPINS = 50;
const WARM_ROUNDS = 6;
const ROUNDS = 40;

/** What one measurement of durable steps says. */
export interface StepFigures {
  readonly blocks: Blocks;
  /** Commits a step, in sequence and at once. */
  readonly commits: { readonly sequence: number; readonly together: number };
  readonly kilobytesPerStep: number;
}

/**
 * Durable steps, beside a loop that writes the same rows in as many transactions and does nothing else: warm, in one
 * process, in blocks that take turns.
 */
export async function measureSteps(folder: string): Promise<StepFigures> {
  const path = join(folder, 'log.db');
  const log = countingCommits(() => openSqliteLog(path));
  const loops = loopsOf(log, STEPS);
  const places = Array.from({ length: AT_ONCE }, (_, n) => join(folder, `workspace-${n}`));
  for (const place of places) mkdirSync(place);
  const [alone = folder] = places;
  const counted = { sequence: { commits: 0, steps: 0 }, together: { commits: 0, steps: 0 } };
  const counting = async (of: keyof typeof counted, steps: number, work: () => Promise<unknown>) => {
    const before = log.commits();
    await work();
    counted[of].commits += log.commits() - before;
    counted[of].steps += steps;
    return steps;
  };
  const commitsOf = (of: keyof typeof counted) => counted[of].commits / counted[of].steps;
  const inSequence = async (of: typeof loops) => {
    for (let n = 0; n < TURNS; n += 1) await turn(of, STEPS, alone);
    return TURNS * STEPS;
  };
  const sequence = () => counting('sequence', TURNS * STEPS, () => inSequence(loops));
  const unsyncedLog = openSqliteLog(join(folder, 'unsynced.db'), { synchronous: 'NORMAL' });
  const inMemory = loopsOf(memoryLog(), STEPS);
  const unsynced = loopsOf(unsyncedLog, STEPS);
  const together = () =>
    counting('together', AT_ONCE * STEPS, () => Promise.all(places.map((place) => turn(loops, STEPS, place))));
  await sequence();
  const rows = rowsOf(path);
  const raw = new RawLoop(join(folder, 'raw.db'));
  const rawWith = async (perStep: number) => {
    raw.write(rows, TURNS, Math.round(perStep * STEPS));
    return TURNS * STEPS;
  };
  const floor = await openFloor({ folder, form: 'machine', isFull: true });
  const blocks = await interleaved(
    [
      { name: 'sequence', work: sequence },
      { name: 'raw', work: () => rawWith(commitsOf('sequence')) },
      { name: 'rawAsBefore', work: () => rawWith(COMMITS_A_STEP) },
      {
        name: 'floor',
        work: async () => {
          for (let n = 0; n < TURNS; n += 1) await floor.turn(STEPS);
          return TURNS * STEPS;
        },
      },
      { name: 'together', work: together },
      { name: 'inMemory', work: () => inSequence(inMemory) },
      { name: 'unsynced', work: () => inSequence(unsynced) },
      { name: 'spin', work: async () => spins() },
    ],
    { warm: WARM_ROUNDS, rounds: ROUNDS },
  );
  await log.close();
  await unsyncedLog.close();
  raw.close();
  await floor.close();
  const steps = counted.sequence.steps + counted.together.steps;
  return {
    blocks,
    commits: { sequence: commitsOf('sequence'), together: commitsOf('together') },
    kilobytesPerStep: statSync(path).size / steps / 1_000,
  };
}

function spins(): number {
  for (let n = 0; n < SPINS; n += 1) spin();
  return SPINS;
}

/** What is asked of durable steps, and what they cost. */
export async function stepFigures(): Promise<Figure[]> {
  const [measured] = await repeated(1, measureSteps);
  if (!measured) return [];
  const { blocks, commits, kilobytesPerStep } = measured;
  const perSecond = (lane: string) => rates(blocks[lane]);
  const figure = (name: string, values: readonly number[], unit: string, bound: Figure['bound'] = null): Figure => ({
    name,
    ...estimate(values),
    unit,
    bound,
  });
  const inSpins = ratios(costs(blocks['sequence']), costs(blocks['spin']));
  return [
    figure('durable steps/s, in sequence', perSecond('sequence'), 'steps/s'),
    figure('the raw loop, as many commits', perSecond('raw'), 'steps/s'),
    figure(`the raw loop, ${COMMITS_A_STEP} commits a step`, perSecond('rawAsBefore'), 'steps/s'),
    figure('a bare machine, one commit a transition', perSecond('floor'), 'steps/s'),
    figure('the bare machine, of the raw loop', ratios(perSecond('floor'), perSecond('rawAsBefore')), '×'),
    figure('in sequence, of the raw loop', ratios(perSecond('sequence'), perSecond('raw')), '×', { atLeast: 0.5 }),
    figure(
      `in sequence, of the raw loop at ${COMMITS_A_STEP}`,
      ratios(perSecond('sequence'), perSecond('rawAsBefore')),
      '×',
    ),
    figure(`durable steps/s, ${AT_ONCE} at once`, perSecond('together'), 'steps/s'),
    figure(`${AT_ONCE} at once, of our sequence`, ratios(perSecond('together'), perSecond('sequence')), '×', {
      atLeast: 5,
    }),
    figure(`${AT_ONCE} at once, of the raw loop`, ratios(perSecond('together'), perSecond('rawAsBefore')), '×', {
      atLeast: 2.5,
    }),
    figure('CPU a step, in sequence', costs(blocks['sequence']), 'µs'),
    figure('the same with the log in memory', costs(blocks['inMemory']), 'µs'),
    figure('the same where no commit waits for the disk', costs(blocks['unsynced']), 'µs'),
    figure(`CPU a step, ${AT_ONCE} at once`, costs(blocks['together']), 'µs'),
    figure('CPU a step, in sequence', inSpins, 'spins'),
    figure(
      `the same, of that of ${first.commit}`,
      inSpins.map((spent) => spent / first.spinsPerStep),
      '×',
      { atMost: 0.45 },
    ),
    { name: 'commits a step, in sequence', value: commits.sequence, unit: '', bound: { atMost: COMMITS_A_STEP } },
    { name: `commits a step, ${AT_ONCE} at once`, value: commits.together, unit: '', bound: { atMost: 0.3 } },
    { name: 'kilobytes a step', value: kilobytesPerStep, unit: 'kB', bound: { atMost: 3 } },
  ];
}
