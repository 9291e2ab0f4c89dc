import { expect, test } from 'vitest';
import {
  DAMAGED_RECORD_KEPT_MS,
  type KnownRun,
  LEAVING_MS,
  LOST_LOG_KEPT_MS,
  verdictOn,
} from '../../../../src/app/isolation/leftover.ts';
import type { WorktreeRecord } from '../../../../src/git/worktree/worktree-record.ts';
import { thisProcess } from '../../../../src/log/holder.ts';

const now = Date.now();
const record: WorktreeRecord = {
  run: 'r',
  origin: '/p',
  repository: '/p/.git',
  store: '/p/.loopfold/log.db',
  by: thisProcess(),
  since: new Date(now).toISOString(),
  state: 'ready',
  leaveOut: [],
};
const open: KnownRun = { kind: 'known', isClosed: false, isContinued: false, updatedMs: 0 };
const ended: KnownRun = { ...open, isClosed: true };

test.each<[name: string, verdict: 'keep' | 'remove', known: KnownRun, isMakerGone: boolean]>([
  ['open, and its process is dead', 'keep', open, true],
  ['ended', 'remove', ended, true],
  ['ended long ago, in a process that nothing is known of', 'remove', ended, false],
  ['ended just now, in a process that may be alive', 'keep', { ...ended, updatedMs: now - LEAVING_MS + 1 }, false],
  ['ended just now, in a process that is dead', 'remove', { ...ended, updatedMs: now }, true],
  ['ended, and continued by a run that is open', 'keep', { ...ended, isContinued: true }, true],
  ['not in the log, and its process is dead', 'remove', { kind: 'unknown_run' }, true],
  ['not in the log, and its process may be alive', 'keep', { kind: 'unknown_run' }, false],
  ['in a log that is gone, as its process is', 'remove', { kind: 'no_log' }, true],
  ['in a log of a process that may be alive', 'keep', { kind: 'no_log' }, false],
  ['in a log that is not where it was', 'keep', { kind: 'lost_log', store: record.store }, true],
  ['in a log that cannot be read', 'keep', { kind: 'unreadable', reason: 'damaged' }, true],
])('X4 a worktree whose run is %s: %s it', (_name, verdict, known, isMakerGone) => {
  const unused = { ...record, since: new Date(now - LEAVING_MS).toISOString() };
  expect(verdictOn(unused, known, { isMakerGone, ageMs: 0, isEmpty: false, now }).kind).toBe(verdict);
});

test('X4 a worktree whose log is nowhere is left over a week after its last use', () => {
  const of = (after: number, isMakerGone: boolean) =>
    verdictOn(
      record,
      { kind: 'lost_log', store: record.store },
      { isMakerGone, ageMs: 0, isEmpty: false, now: now + after },
    ).kind;
  expect([of(LOST_LOG_KEPT_MS, true), of(LOST_LOG_KEPT_MS + 1, true)]).toEqual(['keep', 'remove']);
  expect(of(LOST_LOG_KEPT_MS + 1, false)).toBe('keep');
});

test('X4 one that a continuation takes over, or has made, is kept, however long ago its run has ended', () => {
  const of = (state: 'making' | 'ready', after: number) =>
    verdictOn({ ...record, state }, ended, { isMakerGone: false, ageMs: 0, isEmpty: false, now: now + after }).kind;
  expect([of('ready', LEAVING_MS - 1), of('ready', LEAVING_MS)]).toEqual(['keep', 'remove']);
  expect([of('making', 0), of('making', LEAVING_MS)]).toEqual(['keep', 'keep']);
});

test.each<[name: string, verdict: 'keep' | 'remove', known: KnownRun]>([
  ['open', 'keep', open],
  ['continued', 'keep', { ...ended, isContinued: true, rebuilt: record }],
  ['ended just now', 'keep', { ...ended, updatedMs: now, rebuilt: record }],
  ['ended, and has worked elsewhere', 'keep', { ...ended, rebuilt: null }],
  ['ended', 'remove', { ...ended, rebuilt: record }],
  ['in no log here', 'keep', { kind: 'unknown_run' }],
  ['unknown without a log', 'keep', { kind: 'no_log' }],
  ['in a log that cannot be read', 'keep', { kind: 'unreadable', reason: 'damaged' }],
])('X4 a worktree with files and without a record, whose run is %s: %s it, however old', (_name, verdict, known) => {
  const surroundings = { isMakerGone: false, ageMs: Number.MAX_SAFE_INTEGER, isEmpty: false, now };
  expect(verdictOn(null, known, surroundings).kind).toBe(verdict);
});

test('X4 that a process is leaving a worktree is said only where its record names that process', () => {
  const just: KnownRun = { ...ended, updatedMs: now, rebuilt: record };
  const of = (one: WorktreeRecord | null) =>
    verdictOn(one, just, { isMakerGone: false, ageMs: 0, isEmpty: false, now }).because;
  expect(of(record)).toBe('the process of its run is leaving it');
  expect(of(null)).toMatch(/its record, .*, is lost or damaged: it is kept for 10 minutes after the end/);
});

test('X4 an empty folder without a record is left over once no process can be about to write it', () => {
  const known = { kind: 'no_log' } as const;
  const of = (ageMs: number) => verdictOn(null, known, { isMakerGone: false, ageMs, isEmpty: true, now }).kind;
  expect([of(DAMAGED_RECORD_KEPT_MS), of(DAMAGED_RECORD_KEPT_MS + 1)]).toEqual(['keep', 'remove']);
});
