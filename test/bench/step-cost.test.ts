import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commitAfter, mostWorkAt, ratioAfter } from './commit-ratio.ts';
import { keptSteps, lineOf } from './kept-steps.ts';
import { partsOf } from './step-parts.ts';
import { root } from '../repository/tool.ts';

const at = (workMicroseconds: number, value: number, wal: 'reused' | 'growing' = 'reused') => ({
  wal,
  workMicroseconds,
  value,
  low: value,
  high: value,
  cpu: 20,
});

describe('the cost of a commit', () => {
  const commits = [at(1000, 200), at(0, 100), at(0, 300, 'growing')];

  it('is taken between what was measured, and stays what it last was', () => {
    expect([0, 250, 1000, 5000].map((work) => commitAfter(commits, work))).toEqual([100, 125, 200, 200]);
    expect(commitAfter(commits, 0, 'growing')).toBe(300);
  });

  it('gives the speed that a step with its work has of a loop that does nothing', () => {
    expect(ratioAfter(commits, 0)).toBe(1);
    // 2.1 commits of 200 µs and 2,100 µs of work, where the loop has 2.1 of 100 µs.
    expect(ratioAfter(commits, 2100)).toBeCloseTo(210 / (2100 + 420), 6);
  });

  it('bounds the work of a step that keeps half of that speed', () => {
    const most = mostWorkAt(commits, 0.5);
    expect(ratioAfter(commits, most)).toBeGreaterThanOrEqual(0.5);
    expect(ratioAfter(commits, most + 2)).toBeLessThan(0.5);
  });
});

describe('the parts of a step', () => {
  const url = (path: string) => pathToFileURL(join(root, path)).href;
  const frame = (functionName: string, path: string) => ({
    functionName,
    scriptId: '1',
    url: path === '' || path.startsWith('node:') ? path : url(path),
    lineNumber: 1,
    columnNumber: 1,
  });
  const nodes = [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 7, 8] },
    { id: 2, callFrame: frame('append', 'src/log/sqlite/engine.ts'), children: [3, 4, 5] },
    { id: 3, callFrame: frame('run', '') },
    { id: 4, callFrame: frame('parse', 'node_modules/zod/v4/core/parse.js') },
    // What Node does for the log is the log's.
    { id: 5, callFrame: frame('digest', 'node:internal/crypto/hash') },
    { id: 7, callFrame: frame('(garbage collector)', '') },
    { id: 8, callFrame: frame('post', 'node:inspector') },
  ];

  it('are the innermost frames that belong to one, for each step', () => {
    const profile = {
      nodes,
      startTime: 0,
      endTime: 1,
      samples: [2, 3, 4, 5, 7, 8, 1],
      timeDeltas: [10, 500, 30, 20, 6, 1000, 4],
    };

    expect(partsOf(profile, 2)).toEqual([
      { part: 'SQLite and the disk', microseconds: 250 },
      { part: 'append', microseconds: 15 },
      { part: 'zod', microseconds: 15 },
      { part: 'garbage collection', microseconds: 3 },
      { part: 'Node itself', microseconds: 2 },
    ]);
  });
});

describe('what is kept of a measurement', () => {
  it('has ratios round by round, and a line of the history', () => {
    const block = (units: number, seconds: number, cpuMicroseconds = 1) => ({ units, seconds, cpuMicroseconds });
    const blocks = {
      sequence: [block(100, 1, 20_000), block(100, 2, 40_000)],
      together: [block(1000, 2), block(1000, 4)],
      raw: [block(100, 0.5), block(100, 1)],
      rawAsBefore: [block(100, 0.25), block(100, 0.5)],
      floor: [block(100, 0.5, 5000), block(100, 1, 5000)],
      spin: [block(10, 1, 1000), block(10, 1, 2000)],
    };

    const kept = keptSteps({ blocks, commits: { sequence: 2.1, together: 0.05 }, kilobytesPerStep: 2 });

    expect(kept).toMatchObject({
      sequence: { value: 75, low: 50, high: 100 },
      ofRaw: { value: 0.5 },
      ofRawAsBefore: { value: 0.25 },
      floorOfRawAsBefore: { value: 0.5 },
      floorCpuMicroseconds: { value: 50 },
      togetherOfSequence: { value: 5 },
      spins: { value: 2, low: 2, high: 2 },
    });
    expect(lineOf({ ...kept, commit: '1234567', on: '2026-11-26', machine: 'a machine' })).toEqual({
      commit: '1234567',
      on: '2026-11-26',
      spinsPerStep: 2,
      ofRawLoop: 0.5,
      ofSequence: 5,
    });
  });
});
