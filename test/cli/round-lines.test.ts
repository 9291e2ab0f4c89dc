import { expect, test } from 'vitest';
import { roundLines } from '../../src/cli/pages/page-sections.ts';
import type { RoundRow } from '../../src/projections/round-table.ts';
import { NO_SPEND } from '../../machines/outcome.ts';

const row: RoundRow = {
  iteration: 0,
  startedAt: '2026-03-01T12:00:00.000Z',
  durationMs: null,
  child: null,
  attempt: null,
  interrupted: null,
  answer: '',
  spend: NO_SPEND,
  changed: [],
  workspace: null,
  ref: null,
  passed: null,
  levels: [],
  ci: null,
  decision: null,
};
const decided: RoundRow = {
  ...row,
  durationMs: 2_000,
  decision: { version: 7, action: 'continue', reason: '', metadata: null, findings: [] },
};
const limits = { maxIterations: 3 } as Parameters<typeof roundLines>[0]['limits'];

test('a round that opened no run is under way until it is decided, and no longer', () => {
  const lines = roundLines({ iterations: [decided, { ...row, iteration: 1 }], limits }, null);
  expect(lines[1]).toMatch(/^ {2}1\S* +decided +2/);
  expect(lines[2]).toMatch(/^ {2}2\S* +under way +-/);
});
