import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countingResults } from '../../src/detectors/complete-choice.ts';
import { DEFAULT_DETECTORS } from '../../src/detectors/profile.ts';
import { bySource } from './others/by-source.ts';
import { labelOf } from './others/label.ts';
import { shapes } from './others/shape.ts';
import { SOURCES } from './others/sources.ts';
import { told } from './others/told.ts';

/** All words that there are: sources, labels, classes and what the numbers are called. */
const WORDS: ReadonlySet<string> = new Set(
  [
    'auto-code-rover intercode live-swe-agent mini-swe-agent multi-swe-bench terminal-bench healthy stuck',
    'source label passed limited steps in out chars text calls',
    'tool command args about result failed empty exit none red errors seconds',
    'read search list edit write shell test compile wait start other',
  ].flatMap((words) => words.split(' ')),
);
const NAME_OF_A_TASK = /^[\w.-]+(?:\/[\w.-]+)+$|^[\w.-]+$/;

const all = shapes();
const shareOf = (count: number) => count / all.length;

test('D20 at least a hundred trajectories of other agents come from three sources or more, none with most', () => {
  const counts = Map.groupBy(all, ({ source }) => source);
  expect(all.length).toBeGreaterThanOrEqual(100);
  expect(counts.size).toBeGreaterThanOrEqual(3);
  for (const { length } of counts.values()) expect(shareOf(length)).toBeLessThanOrEqual(0.6);
  expect(new Set(all.map(({ source, id }) => `${source} ${id}`)).size).toBe(all.length);
});

test('D20 labels are what verdict, end and steps say: late in a stuck one there is no new test, error or file', () => {
  const wrong = all.filter((shape) => labelOf(shape) !== shape.label).map(({ source, id }) => `${source} ${id}`);
  expect(wrong).toEqual([]);
  expect(Object.keys(Object.groupBy(all, ({ label }) => label)).toSorted()).toEqual(['healthy', 'stuck']);
});

test('D20 of each source it is known where it is, and how many trajectories were left out for which reason', () => {
  for (const [name, { commit, labelled, leftOut }] of Object.entries(SOURCES)) {
    const own = all.filter(({ source }) => source === name);
    for (const label of ['healthy', 'stuck'] as const)
      expect(own.filter((shape) => shape.label === label).length).toBeLessThanOrEqual(labelled[label]);
    expect(own.length).toBeGreaterThan(0);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(Object.values(leftOut).some((count) => count > 0)).toBe(true);
  }
});

test('D20 no text of other people is in the corpus: its strings are classes, and the names of runs and tasks', () => {
  const lines = readFileSync(new URL('others/shapes.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const strange = lines.flatMap((line) => {
    const { id, ...shape } = JSON.parse(line) as { readonly id: string };
    const words = JSON.stringify(shape).match(/"[^"]*"/g) ?? [];
    return [...words.filter((word) => !WORDS.has(word.slice(1, -1))), ...(NAME_OF_A_TASK.test(id) ? [] : [id])];
  });
  expect([...new Set(strange)]).toEqual([]);
});

test('D20 a trajectory is scored by its source, told in the words of this library', async () => {
  const some = all.filter((_shape, index) => index % 16 === 0);
  const scores = await bySource(some, countingResults(DEFAULT_DETECTORS));
  for (const { source, stuck, healthy, stuckStopped, healthyStopped, saved, tokens } of scores) {
    const own = some.filter((shape) => shape.source === source);
    expect({ stuck, healthy }).toEqual({
      stuck: own.filter(({ label }) => label === 'stuck').length,
      healthy: own.filter(({ label }) => label === 'healthy').length,
    });
    expect(stuckStopped).toBeLessThanOrEqual(stuck);
    expect(healthyStopped).toBeLessThanOrEqual(healthy);
    expect(saved).toBeLessThanOrEqual(tokens);
  }
});

test('D20 a told trajectory has every step and call of its shape, in order', () => {
  const [shape] = all.filter(({ steps }) => steps.length > 20);
  const [facts = []] = shape ? told(shape, 1).runs : [];
  const count = (type: string) => facts.filter((fact) => fact.type === type).length;
  expect(count('step.started')).toBe(shape?.steps.length);
  expect(count('tool.completed') + count('tool.failed')).toBe(shape?.steps.flatMap(({ calls }) => calls).length);
});
