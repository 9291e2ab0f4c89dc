import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { improvementDescription } from '../../../src/loops/improvement/description.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { type RunSummary, runSummary } from '../../../src/projections/run-summary.ts';
import { discovered, tier } from './night-facts.ts';
import { recordedNight } from './recorded-night.ts';
import { CANNOT, CUT, witnessedNight } from './witnessed-night.ts';

const lineOf = (event: LoopEvent) =>
  improvementDescription.line({ run: 'run', version: 1, at: '2026-01-31T12:00:00.000Z', ...event } as never);

test('I9 the line of a discovery says how many more there are, and why a source failed', () => {
  const fault = { code: 'items_unreadable', message: 'the list of items a.md\ncannot be read (ENOENT)' };
  const sources = [{ source: 'items' as const, found: 0, fault }];
  expect(lineOf(discovered(['a', 'b'], { left: 9_800, known: 1, sources }))).toBe(
    '2 found, and 9,800 less relevant ones, 1 tried before; items failed: the list of items a.md cannot be read (ENOENT)',
  );
  expect(lineOf(discovered(['a']))).toBe('1 found');
});

test('I9 the line of a benchmark says how it passed: what the head cannot be measured by passes, too', () => {
  const detail = 'speed on the head: it fails';
  expect(lineOf(tier('one', 'benchmark: speed', true, { kind: 'benchmark', detail }))).toBe(
    `tier benchmark: speed: passed: ${detail}`,
  );
  expect(lineOf(tier('one', 'L1', true))).toBe('tier L1: passed');
  expect(lineOf(tier('one', 'L1', false))).toBe('tier L1: it fails');
});

test('I14 the line of how an experiment ended says it, unless it simply finished', () => {
  const ended = (passed: boolean, detail: string) => lineOf(tier('one', 'ended', passed, { kind: 'ended', detail }));
  expect(ended(true, CUT)).toBe(`tier ended: passed: ${CUT}`);
  expect(ended(true, 'its agent has finished')).toBe('tier ended: passed');
  expect(ended(false, CANNOT)).toBe(`tier ended: ${CANNOT}`);
});

test('I15 a night answers with why it ended, and not with the answer of an experiment', () => {
  const answer = recordedNight(witnessedNight()).reduce<RunSummary | null>(
    (summary, fact) => runSummary(summary, fact, shippedLoops),
    null,
  )?.answer;
  expect(answer).toBe('1 improvement kept; everything that was found has been tried');
});
