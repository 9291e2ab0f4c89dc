import { expect, test } from 'vitest';
import {
  DAMAGED_RECORD_KEPT_MS,
  type KnownRun,
  LEAVING_MS,
  LOST_LOG_KEPT_MS,
  verdictOn,
} from '../../../../src/hosts/local/isolation/leftover.ts';
import type { WorktreeRecord } from '../../../../src/actors/workspace/worktree-record.ts';
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
  expect(verdictOn(record, known, { isMakerGone, ageMs: 0, now }).kind).toBe(verdict);
});

test('X4 a worktree whose log is nowhere is left over a week after its last use', () => {
  const of = (after: number, isMakerGone: boolean) =>
    verdictOn(record, { kind: 'lost_log', store: record.store }, { isMakerGone, ageMs: 0, now: now + after }).kind;
  expect([of(LOST_LOG_KEPT_MS, true), of(LOST_LOG_KEPT_MS + 1, true)]).toEqual(['keep', 'remove']);
  expect(of(LOST_LOG_KEPT_MS + 1, false)).toBe('keep');
});

test('X4 a worktree without a record is left over once no process can be about to write it', () => {
  const known = { kind: 'no_log' } as const;
  const of = (ageMs: number) => verdictOn(null, known, { isMakerGone: false, ageMs, now }).kind;
  expect([of(DAMAGED_RECORD_KEPT_MS), of(DAMAGED_RECORD_KEPT_MS + 1)]).toEqual(['keep', 'remove']);
});
