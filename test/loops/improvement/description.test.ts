import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { improvementDescription } from '../../../src/loops/improvement/description.ts';
import { discovered, tier } from './night-facts.ts';

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
