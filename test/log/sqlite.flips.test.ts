import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect } from 'vitest';
import { LogError } from '../../src/log/log.ts';
import { BLOB_THRESHOLD_BYTES } from '../../src/log/event-store.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOf } from '../support/tenth.ts';
import { everythingAt } from './damaging.ts';
import { all, appended, decided, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const FLIPS = 500;
const TIMEOUT_MS = 600_000;

const started = (effect: string | null): NewEvent =>
  fact({ settings: { parent: effect && { effect } } }, { type: 'run.started' });

/** Ended, open and continued runs, a child, a payload apart, and a command that waits. */
async function fill(path: string): Promise<void> {
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'first');
  const append = (run: string, version: number, events: readonly NewEvent[], more: object = {}) =>
    appended(log.append({ run, expectedVersion: version, epoch, events, ...more }));
  await append('first', 0, [started(null), fact({ text: 'one' }), fact({ text: 'two' })]);
  await append('child', 0, [started('first/3/0'), fact({ text: 'below' })], { parentEffect: 'first/3/0' });
  await append('first', 3, [fact({ child: 'child' }, { type: 'child.settled' })]);
  await append('first', 4, [fact({ text: 'x'.repeat(BLOB_THRESHOLD_BYTES) })]);
  await append('first', 5, [decided('cap_hit'), fact({}, { type: 'strategy.ended' })], { closes: 'cap_hit' });
  await log.fork({ from: 'first', at: 4, to: 'next' });
  await take(log, 'next');
  await append('next', 4, [fact({ text: 'more' })]);
  await log.post('next', { type: 'abort.requested', payload: { cause: 'user', reason: 'enough' } });
  await append('next', 5, [fact({ text: 'last' })]);
  await log.close();
}

/** What a reader of a whole store gets: its runs and their events, or the word that something is wrong. */
async function told(path: string): Promise<string> {
  try {
    const log = openSqliteLog(path, { mode: 'read' });
    try {
      const runs = [];
      for (const { createdAt: _, ...record } of await log.runs()) {
        const verified = await log.verifyTree(record.run);
        if (verified.kind !== 'intact') return `said: ${verified.kind}`;
        const events = await all(log.read(record.run));
        runs.push([record, events.map(({ mark: _none, position: _place, ...event }) => event)]);
      }
      await log.inbox('next');
      return JSON.stringify(runs);
    } finally {
      await log.close();
    }
  } catch (error) {
    if (error instanceof LogError) return `said: ${error.kind}`;
    throw error;
  }
}

function copyOf(path: string, suffixes: readonly string[]): string {
  const copy = temporaryStore();
  for (const suffix of ['', ...suffixes]) copyFileSync(path + suffix, copy + suffix);
  cpSync(`${path}.heads`, `${copy}.heads`, { recursive: true });
  return copy;
}

/** A byte and a bit that follow from a seed. */
function placeIn(bytes: Buffer, seed: string): readonly [byte: number, bit: number] {
  const drawn = createHash('sha256').update(seed).digest();
  return [drawn.readUInt32BE(0) % bytes.length, drawn.readUInt8(4) % 8];
}

/** A copy with two more commits, as it is before a write-ahead log is copied into the database. */
async function continued(path: string): Promise<string> {
  const log = openSqliteLog(path);
  for (const expectedVersion of [6, 7])
    await appended(log.append({ run: 'next', events: [fact({ expectedVersion })], expectedVersion, epoch: 1 }));
  const copy = copyOf(path, ['-wal']);
  await log.close();
  return copy;
}

let atRest = '';
let killed = '';

beforeAll(async () => {
  atRest = temporaryStore();
  await fill(atRest);
  killed = await continued(copyOf(atRest, []));
});

describe('nothing is lost without a word, nothing is a bug, and reading changes nothing', () => {
  testInTurn('every byte at which the write-ahead log of a killed process is cut', async () => {
    const path = copyOf(killed, ['-wal']);
    const whole = await told(path);
    const bytes = statSync(`${path}-wal`).size;
    const lengths = tenthOf(Array.from({ length: bytes }, (_, index) => index)).toReversed();
    const silent: number[] = [];
    let said = 0;
    for (const length of lengths) {
      truncateSync(`${path}-wal`, length);
      const found = await told(path);
      if (found.startsWith('said: ')) said += 1;
      else if (found !== whole) silent.push(length);
    }
    expect(said).toBeGreaterThan(lengths.length / 2);
    expect(silent).toEqual([]);
  });

  testInTurn.for([
    ['a database at rest', () => atRest, ''],
    ['the database of a killed process', () => killed, ''],
    ['the write-ahead log of a killed process', () => killed, '-wal'],
  ] as const)('any bit of %s', { timeout: TIMEOUT_MS }, async ([what, of, suffix]) => {
    const path = copyOf(of(), of() === killed ? ['-wal'] : []);
    const whole = await told(path);
    expect(whole).toContain('"text":"last"');
    const sound = readFileSync(path + suffix);
    const flips = Array.from({ length: FLIPS }, (_, index) => placeIn(sound, `${what} ${index}`));
    const wrong: unknown[] = [];
    let said = 0;
    for (const [byte, bit] of tenthOf(flips)) {
      const flipped = Buffer.from(sound);
      flipped.writeUInt8(flipped.readUInt8(byte) ^ (1 << bit), byte);
      writeFileSync(path + suffix, flipped);
      const before = everythingAt(path);
      const found = await told(path).catch((error: unknown) => `bug: ${String(error)}`);
      if (found !== whole && !found.startsWith('said: ')) wrong.push({ byte, bit, found: found.slice(0, 300) });
      if (!found.startsWith('said: ')) continue;
      said += 1;
      expect(everythingAt(path)).toEqual(before);
    }
    expect(wrong).toEqual([]);
    expect(said).toBeGreaterThan(0);
  });
});
