import { expect, test } from 'vitest';
import {
  DAMAGED_RECORD_KEPT_MS,
  type KnownRun,
  LEAVING_MS,
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

test.each<[name: string, known: KnownRun, isMakerGone: boolean, verdict: 'keep' | 'remove']>([
  ['open, and its process is dead', open, true, 'keep'],
  ['ended', ended, true, 'remove'],
  ['ended long ago, in a process that nothing is known of', ended, false, 'remove'],
  ['ended just now, in a process that may be alive', { ...ended, updatedMs: now - LEAVING_MS + 1 }, false, 'keep'],
  ['ended just now, in a process that is dead', { ...ended, updatedMs: now }, true, 'remove'],
  ['ended, and continued by a run that is open', { ...ended, isContinued: true }, true, 'keep'],
  ['not in the log, and its process is dead', { kind: 'unknown_run' }, true, 'remove'],
  ['not in the log, and its process may be alive', { kind: 'unknown_run' }, false, 'keep'],
  ['in a log that is gone, as its process is', { kind: 'no_log' }, true, 'remove'],
  ['in a log of a process that may be alive', { kind: 'no_log' }, false, 'keep'],
  ['in a log that cannot be read', { kind: 'unreadable', reason: 'damaged' }, true, 'keep'],
])('X4 a worktree whose run is %s: %4$s', (_name, known, isMakerGone, verdict) => {
  expect(verdictOn(record, known, { isMakerGone, ageMs: 0, now }).kind).toBe(verdict);
});

test('X4 a worktree without a record is left over once no process can be about to write it', () => {
  const known = { kind: 'no_log' } as const;
  const of = (ageMs: number) => verdictOn(null, known, { isMakerGone: false, ageMs, now }).kind;
  expect([of(DAMAGED_RECORD_KEPT_MS), of(DAMAGED_RECORD_KEPT_MS + 1)]).toEqual(['keep', 'remove']);
});
