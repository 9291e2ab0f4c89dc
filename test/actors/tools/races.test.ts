import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../../src/log/envelope.ts';
import { takesAll } from '../../support/tenth.ts';
import { MARKER, type Trap, trap } from './trap.ts';
import { calling } from './workspace.ts';

const ROUNDS = takesAll ? 60 : 12;
/** On a busy machine the other thread may be late: until it was seen. */
const MOST_ROUNDS = 2_000;

/** A thread that puts a link to the outside in a folder's place and the folder back, as fast as it can. */
const SWAP = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const { workerData: { folder, outside } } = require('node:worker_threads');
  const attempt = (work) => { try { work(); } catch {} };
  for (;;) {
    attempt(() => rmSync(folder + '-parked', { recursive: true }));
    attempt(() => renameSync(folder, folder + '-parked'));
    attempt(() => symlinkSync(outside, folder));
    attempt(() => rmSync(folder));
    attempt(() => renameSync(folder + '-parked', folder));
  }`;

/** The same with a link in the place of a folder that is only about to be made. */
const PLANT = `
  const { rmSync, symlinkSync } = require('node:fs');
  const { workerData: { folder, outside } } = require('node:worker_threads');
  const attempt = (work) => { try { work(); } catch {} };
  for (;;) {
    attempt(() => symlinkSync(outside, folder));
    attempt(() => rmSync(folder, { recursive: true }));
  }`;

/** Executes calls while another process changes a folder of the workspace: the events they yield, by type. */
async function racing(place: Trap, name: string, script: string, calls: readonly [string, Json][]) {
  const { directory, outside } = place;
  const before = place.untouched();
  const mover = new Worker(script, { eval: true, workerData: { folder: join(directory, name), outside } });
  onTestFinished(() => mover.terminate().then(() => {}));
  const kinds = new Set<string>();
  for (let round = 0; round < ROUNDS || (kinds.size < 2 && round < MOST_ROUNDS); round += 1) {
    const results = await Promise.all(calls.map(([tool, args]) => calling(directory, tool, args)));
    expect(JSON.stringify(results)).not.toContain(MARKER);
    for (const [event] of results) kinds.add(event?.type ?? 'nothing');
    expect(place.untouched()).toBe(before);
  }
  await mover.terminate();
  return kinds;
}

const both = new Set(['tool.completed', 'tool.failed']);

test('a folder that turns into a link while tools are at it leads none of them out', async () => {
  const place = trap();
  mkdirSync(join(place.directory, 'room'));
  const path = 'room/a.txt';
  const calls: [string, Json][] = [
    ['read', { path }],
    ['list', { path: 'room' }],
    ['list', { path: '.', depth: 3 }],
    ['glob', { path: 'room', pattern: '*' }],
    ['grep', { path: '.', pattern: 'old' }],
    ['grep', { path, pattern: 'old' }],
    ['write', { path, content: 'inside old\n' }],
    ['edit', { path, oldText: 'inside', newText: 'inside still' }],
  ];
  expect(await racing(place, 'room', SWAP, calls)).toEqual(both);
});

test('a link planted where a folder is being created does not lead outside', async () => {
  const place = trap();
  const calls = ['a.txt', 'deep/new.txt'].map((name): [string, Json] => [
    'write',
    { path: `new/${name}`, content: 'x' },
  ]);
  expect(await racing(place, 'new', PLANT, calls)).toEqual(both);
  expect(readFileSync(join(place.outside, 'a.txt'), 'utf8')).toBe(`${MARKER} old\n`);
});
