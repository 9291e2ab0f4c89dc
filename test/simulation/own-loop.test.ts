import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { loop } from '../../docs/examples/own-loop/reviewed.loop.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { checkLog } from '../../src/replay/check-log.ts';
import { root } from '../repository/tool.ts';
import { bundled, compileCache, YOUNG_GENERATION } from '../support/bundled.ts';
import { tenthOf } from '../support/tenth.ts';
import type { Kill } from './killing.ts';
import { bothSides, forEach } from './points.ts';

const REVIEWING = bundled('test/simulation/reviewing.process.ts');
const MODULE = join(root, 'docs/examples/own-loop/reviewed.loop.ts');

/** Plays in a process of its own. Null: it was killed. */
async function play(folder: string, kill: Kill | null): Promise<number | null> {
  const child = spawn(process.execPath, [...YOUNG_GENERATION, REVIEWING, MODULE, folder, JSON.stringify(kill)], {
    env: { ...process.env, ...compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code, signal], said, complaints] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (signal === 'SIGKILL') return null;
  if (code !== 0) throw new Error(`the process ended with ${code ?? signal}: ${complaints}`);
  return Number(said);
}

interface Played {
  readonly appends: number;
  readonly facts: readonly Envelope[];
  /** What the reviewer was really asked for, by the ids of the effects. */
  readonly asked: readonly string[];
  readonly checked: readonly string[];
  readonly attempts: readonly (string | null)[];
}

/** Plays through kills, one process after the other, and then to the end. */
async function playThrough(kills: readonly Kill[]): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), 'loopfold-reviewing-'));
  try {
    await mkdir(join(folder, 'work'));
    await execa('git', ['init', '--quiet'], { cwd: join(folder, 'work') });
    for (const kill of kills) expect(await play(folder, kill)).toBeNull();
    const appends = await play(folder, null);
    return { appends: appends ?? 0, ...(await seenIn(folder)) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function seenIn(folder: string): Promise<Omit<Played, 'appends'>> {
  const log = openSqliteLog(join(folder, 'log.db'));
  try {
    const records = await log.runs();
    const facts: Envelope[] = [];
    for await (const envelope of log.read(records[0]?.run ?? '')) facts.push(envelope);
    const checked: string[] = [];
    for await (const { kind } of checkLog(log, records, [...shippedLoops, loop])) checked.push(kind);
    const asked = await readFile(join(folder, 'asked.txt'), 'utf8').catch(() => '');
    return {
      facts,
      checked,
      asked: asked.split('\n').filter((id) => id !== ''),
      attempts: records.slice(1).map(({ parentEffect }) => parentEffect),
    };
  } finally {
    await log.close();
  }
}

const REVIEW_ENDS = ['review.given', 'review.failed', 'review.interrupted'];

function expectSound({ facts, asked, checked, attempts }: Played): void {
  expect(facts.at(-1)?.type).toBe('strategy.ended');
  expect(new Set(checked)).toEqual(new Set(['same']));
  expect(new Set(attempts).size).toBe(attempts.length);
  // Asked for once at most, and whatever was asked for has come to something that is recorded.
  expect(new Set(asked).size).toBe(asked.length);
  const ended = facts
    .filter(({ type }) => REVIEW_ENDS.includes(type))
    .map(({ run, causation }) => `${run}/${causation}`);
  expect(ended).toEqual(expect.arrayContaining([...asked]));
  expect(new Set(ended).size).toBe(ended.length);
}

const reviewsIn = ({ facts }: Played) =>
  facts.flatMap(({ type, payload }) => (type === 'review.given' ? [Object(payload).remark] : []));
const outcomeIn = ({ facts }: Played) => Object(facts.findLast(({ type }) => type === 'decision.made')?.payload).sink;

test('a user’s loop killed before and after every commit ends the same way, and asks for no review twice', async () => {
  const undisturbed = await playThrough([]);
  expectSound(undisturbed);
  expect(outcomeIn(undisturbed)).toMatchObject({ ending: 'success' });
  expect(reviewsIn(undisturbed)).toEqual(['Call it sum.', 'Good.']);
  expect(undisturbed.attempts).toHaveLength(3);
  // Killed before its first commit a run has never been.
  await forEach(tenthOf(bothSides(1, undisturbed.appends).slice(1)), async (kill) => {
    const played = await playThrough([kill]);
    expectSound(played);
    expect(outcomeIn(played)?.ending).toBe('success');
    expect(reviewsIn(played)).toEqual(reviewsIn(undisturbed));
    expect(played.attempts).toHaveLength(3);
  });
});

test('a review whose answer a kill has kept from the log is recorded as cut off, and asked for anew', async () => {
  const played = await playThrough([{ when: 'before', append: 1, from: 'review.given' }]);
  expectSound(played);
  expect(played.facts.map(({ type }) => type).filter((type) => REVIEW_ENDS.includes(type))).toEqual([
    'review.interrupted',
    'review.given',
    'review.given',
  ]);
  expect(played.asked).toHaveLength(3);
  expect(reviewsIn(played)).toEqual(['Call it sum.', 'Good.']);
});
