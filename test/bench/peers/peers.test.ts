import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { temporaryStore } from '../../log/store.ts';
import { holds } from '../measure.ts';
import { countingWal } from './commits-in-wal.ts';
import { LANES } from './lanes.ts';
import { peerFigures } from './peer-figures.ts';
import { type LaneReports, peerRounds, readReport } from './rounds.ts';
import { STEPS, TURNS } from './workload.ts';

const report = (seconds: number) => ({
  steps: 1000,
  seconds,
  cpuMicroseconds: 1,
  journalMode: 'wal',
  synchronous: 2,
});

describe('the bench of other projects', () => {
  it('runs the floor in processes of its own, and reads what it keeps', async () => {
    const floor = LANES.filter(({ name }) => name === 'floor');

    const [measured] = await peerRounds(floor, { rounds: 1 });

    const durable = { journalMode: 'wal', synchronous: 2 };
    expect(measured?.sequence).toEqual([expect.objectContaining({ steps: TURNS.sequence * STEPS, ...durable })]);
    expect(measured?.together).toEqual([expect.objectContaining({ steps: TURNS.together * STEPS, ...durable })]);
    // An answer and a result for each step, but for the last, which calls nothing.
    expect(measured?.commitsPerStep).toBe((2 * STEPS - 1) / STEPS);
  });

  it('tells how many times as fast we are, round by round, against what is wanted', () => {
    const [ours, , mastra] = LANES;
    const reports = [
      { lane: ours, sequence: [1, 2, 4].map(report), together: [1, 1, 1].map(report), commitsPerStep: 2 },
      { lane: mastra, sequence: [2, 6, 6].map(report), together: [4, 4, 4].map(report), commitsPerStep: 6 },
    ] as LaneReports[];

    const ratios = peerFigures(reports).filter(({ unit }) => unit === '×');

    expect(ratios).toEqual([
      expect.objectContaining({ value: 2, low: 1.5, high: 3, bound: { atLeast: 1.5 } }),
      expect.objectContaining({ value: 4, low: 4, high: 4, bound: { atLeast: 5 } }),
    ]);
    expect(ratios.map(holds)).toEqual([true, false]);
  });

  it('reads the last line of a program, and refuses one that is no report', () => {
    expect(readReport(`a warning\n${JSON.stringify(report(2))}\n`)).toEqual(report(2));
    expect(() => readReport(JSON.stringify({ ...report(2), steps: 0 }))).toThrow(/steps/);
    expect(() => readReport('')).toThrow(/JSON/);
  });
});

describe('counting the commits of a write-ahead log', () => {
  it('counts what another connection commits, also after the log was begun anew', () => {
    const store = temporaryStore();
    const db = new DatabaseSync(store);
    onTestFinished(() => db.close());
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE lines (text TEXT)');
    const write = (text: string) => db.prepare('INSERT INTO lines VALUES (?)').run(text);
    for (let n = 0; n < 9; n += 1) write('before');
    db.exec('PRAGMA wal_checkpoint(RESTART)');
    write('the first of the new log');

    const commits = countingWal(store);
    write('small');
    // Several pages in one commit.
    write('x'.repeat(20_000));

    expect(commits()).toBe(2);
  });
});

describe('the packages of other projects', () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

  it('are pinned exactly, by content and without addresses', () => {
    const Asked = z.object({ dependencies: z.record(z.string(), z.string()) });
    const Locked = z.object({ packages: z.record(z.string(), z.record(z.string(), z.unknown())) });
    const { dependencies } = Asked.parse(read('package.json'));
    const { '': own, ...packages } = Locked.parse(read('package-lock.json')).packages;

    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(own?.['dependencies']).toEqual(dependencies);
    expect(Object.values(packages).filter(({ integrity }) => integrity === undefined)).toEqual([]);
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
