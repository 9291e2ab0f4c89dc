import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { countingResults } from '../../src/detectors/complete-choice.ts';
import { DEFAULT_DETECTORS } from '../../src/detectors/profile.ts';
import { bySource } from './others/by-source.ts';
import { labelOf } from './others/label.ts';
import { shapes } from './others/shape.ts';
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

test('D20 at least a hundred trajectories of other agents come from at least three sources, none with most of them', () => {
  const counts = Map.groupBy(all, ({ source }) => source);
  expect(all.length).toBeGreaterThanOrEqual(100);
  expect(counts.size).toBeGreaterThanOrEqual(3);
  for (const { length } of counts.values()) expect(shareOf(length)).toBeLessThanOrEqual(0.6);
  expect(new Set(all.map(({ source, id }) => `${source} ${id}`)).size).toBe(all.length);
});

test('D20 each of their labels is what verdict, end and last third say: stuck ones brought no test, error or file', () => {
  const wrong = all.filter((shape) => labelOf(shape) !== shape.label).map(({ source, id }) => `${source} ${id}`);
  expect(wrong).toEqual([]);
  expect(Object.keys(Object.groupBy(all, ({ label }) => label)).toSorted()).toEqual(['healthy', 'stuck']);
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
  const some = all.filter((_shape, index) => index % 5 === 0);
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
