import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readHistory } from '../../src/replay/history.ts';
import type { Recording } from '../../src/replay/recording.ts';
import { replay } from '../../src/replay/replay-run.ts';
import { all } from '../../src/testing/log-contract/contract.ts';
import { createHarness } from '../support/harness.ts';

const folder = new URL('../histories/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');

function recordingsIn(text: string): readonly Recording[] {
  const read = readHistory(text);
  if (read.kind === 'malformed') throw new Error(`${read.line}: ${read.because}`);
  return read.recordings.map((one) => ('kind' in one ? expect.fail(one.reason) : one));
}

test.each(names)('%s: every run is the same today, each of its states compared', async (name) => {
  const recordings = recordingsIn(textOf(name));
  expect(recordings.length).toBeGreaterThan(0);
  for (const recording of recordings) {
    const replayed = await replay(recording);
    const events = [...(recording.events as Iterable<unknown>)].length;
    expect(replayed).toEqual({ kind: 'same', run: recording.run, events, compared: events, remembered: events });
  }
});

test('one digest of a history changed: there it differs', async () => {
  const changed = textOf('turn-success.jsonl').replace(/("version":9,.*"state":")[0-9a-f]{16}/, '$10123456789abcdef');
  const [recording] = recordingsIn(changed);
  expect(recording && (await replay(recording))).toMatchObject({
    kind: 'differs',
    difference: { sign: 'digest', version: 9 },
  });
});

test('the printed envelopes of one run are a history: a fork has its prefix, and no ending is required', async () => {
  const harness = createHarness({
    model: { answers: [{ calls: [{ tool: 'finish', arguments: { answer: 'done' } }] }] },
  });
  const first = await harness.play({ loop: 'turn', maxSteps: 2 });
  await harness.log.fork({ from: first.run, at: 4, to: 'b' });
  for (const [run, length] of [
    [first.run, first.facts.length],
    ['b', 4],
  ] as const) {
    const lines = (await all(harness.log.read(run))).map((envelope) => JSON.stringify(envelope));
    const [recording] = recordingsIn(lines.join('\n'));
    expect(recording && (await replay(recording))).toMatchObject({ kind: 'same', events: length, compared: length });
  }
});

test.each([
  ['', 1, 'it is empty'],
  ['{"about":', 1, 'it is not JSON'],
  ['{"story":"a"}\n', 1, 'nor the heading of a history'],
  ['{"about":"nothing","runs":[],"fields":{}}\n', 1, 'nor the heading of a history'],
  [textOf('turn-text-only.jsonl').replace(/("runs":\[{"run":")[^"]+/, '$1another'), 2, 'is not in the heading'],
  [textOf('turn-text-only.jsonl').replace('"version":3', '"version":"3"'), 4, 'version'],
  [textOf('turn-text-only.jsonl').replace('"version":3', '"version":4,"version":3'), 4, 'the name "version" twice'],
  [`${textOf('turn-text-only.jsonl')}{"run":`, 10, 'it is not JSON'],
])('malformed: the line is named, and why %#', (text, line, because) => {
  expect(readHistory(text)).toEqual({ kind: 'malformed', line, because: expect.stringContaining(because) });
});

test('a continuation without the run that it continues is damaged, and so is one that continues itself', () => {
  const [heading = '', ...lines] = textOf('turn-continued-twice.jsonl').trim().split('\n');
  const about = JSON.parse(heading) as { runs: { run: string; forkedFrom: unknown }[] };
  const [, second] = about.runs;
  const ofSecond = lines.filter((line) => (JSON.parse(line) as { run: string }).run === second?.run);
  const alone = readHistory([JSON.stringify({ ...about, runs: [second] }), ...ofSecond].join('\n'));
  expect(alone).toMatchObject({
    recordings: [{ kind: 'damaged', run: second?.run, reason: expect.stringContaining('not in this file') }],
  });
  const itself = { ...second, forkedFrom: { run: second?.run, version: 3 } };
  expect(readHistory([JSON.stringify({ ...about, runs: [itself] }), ...ofSecond].join('\n'))).toMatchObject({
    recordings: [{ kind: 'damaged' }],
  });
});

/** A history whose event of a version carries something else. */
function carrying(version: number, payload: unknown): string {
  const changed = (row: string) =>
    row.includes(`"version":${version},`) ? JSON.stringify({ ...(JSON.parse(row) as object), payload }) : row;
  return textOf('turn-text-only.jsonl').trim().split('\n').map(changed).join('\n');
}

test.each([
  [1, null, 'payload: '],
  [1, { machine: 5 }, 'payload.machine: '],
  [1, { machine: 'turn@1' }, 'payload.settings: '],
  [3, null, 'payload: '],
  [4, {}, 'payload.code: '],
])('what is no event is damage, not a machine that fails: version %i carries %j', async (version, payload, reason) => {
  const [recording] = recordingsIn(carrying(version, payload));
  const replayed = recording && (await replay(recording));
  expect(replayed).toEqual({ kind: 'damaged', run: recording?.run, version, reason: expect.stringContaining(reason) });
});

test('unknown fields of a later program are no damage; neither is a machine that only it knows', async () => {
  const more = { code: 'budget_near', message: 'near', tone: 'low' };
  const [first] = recordingsIn(carrying(4, more));
  expect(first && (await replay(first))).toMatchObject({ kind: 'same' });
  const [second] = recordingsIn(carrying(1, { machine: 'turn@9', mood: 'good' }));
  expect(second && (await replay(second))).toMatchObject({ kind: 'refused', machine: 'turn@9' });
});
