import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { contentHash } from '../strategies/report.ts';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { followed, type Iterating, ITERATIONS, NOT_ITERATING } from './iteration-end.ts';
import { detectorKind } from './detector-kind.ts';
import { isNoteBy, NOTES } from './notes.ts';

const MAX_HASHES = 100;
/** Iterations that undo each other: A, B, A, B; or in a ring of three. Each has to come back once. */
const PERIODS = [2, 3];

export interface Hashes {
  readonly iterating: Iterating;
  readonly kept: readonly Left[];
}

/** What an iteration has left. */
interface Left {
  /** Of the workspace and the check results. */
  readonly hash: string;
  readonly workspace: string;
  readonly id: string;
}

const CONFIG = z
  .strictObject({
    keep: wholeWithin(2, MAX_HASHES, 'iterations').default(6),
    repeats: whole(2, 'iterations').default(3),
    /** Names of notes and logs, which are no work. Absent: those of `notes.ts`. */
    notes: z.array(z.string().min(1).max(100)).max(100).optional(),
  })
  .refine(({ keep, repeats }) => repeats <= keep, {
    path: ['repeats'],
    error: 'at most `keep`: more are not remembered',
  });

/**
 * D6a: the last iterations left the same workspace with the same check results, or two or three of them left in turn
 * what the same ones before have left; a change of notes and logs alone is no work. An iteration whose workspace has no
 * hash, as outside git, is skipped: what it left is unknown.
 */
export function workspaceHash({ keep, repeats, notes }: z.output<typeof CONFIG> = CONFIG.parse({})): Detector<Hashes> {
  const isNote = isNoteBy(notes ?? NOTES);
  return {
    name: 'workspace-hash',
    sees: ITERATIONS,
    init: () => ({ iterating: NOT_ITERATING, kept: [] }),
    step: (before, event): Noticed<Hashes> => {
      const { state: iterating, ended } = followed(before.iterating, event, isNote);
      if (!ended || ended.workspace === null) return { state: { ...before, iterating } };
      const workspace = ended.work ?? ended.workspace;
      const hash = contentHash(ended.report, workspace);
      const kept = [...before.kept, { hash, workspace, id: ended.id }].slice(-keep);
      const state = { iterating, kept };
      const same = kept.slice(kept.findLastIndex((one) => one.hash !== hash) + 1);
      if (same.length >= repeats) return { state, finding: repeated(same) };
      const turns = PERIODS.map((period) => inTurn(kept, period)).find((found) => found !== null);
      return turns ? { state, finding: turns } : { state };
    },
  };
}

const repeated = (same: readonly Left[]): Finding =>
  stop(same, `left the same files and the same check results (${same.at(-1)?.hash})`);

/**
 * The last 2 × `period` iterations, where the later ones left what the earlier ones have left. Where all have left the
 * same files, a check flickers.
 */
function inTurn(kept: readonly Left[], period: number): Finding | null {
  const last = kept.slice(-2 * period);
  const [first] = last;
  const isInTurn = last.every(({ hash }, index) => index < period || hash === last[index - period]?.hash);
  if (last.length < 2 * period || !isInTurn || last.every(({ workspace }) => workspace === first?.workspace))
    return null;
  const hashes = last.slice(-period).map(({ hash }) => hash);
  return stop(last, `left in turn the same files with the same check results (${hashes.join(', ')})`);
}

const stop = (iterations: readonly Left[], did: string): Finding => ({
  detector: 'workspace-hash',
  level: 'stop',
  count: iterations.length,
  message: `${iterations.length} iterations in a row ${did}`,
  evidence: iterations.map(({ id }) => id),
});

export const workspaceHashKind = detectorKind({
  name: 'workspace-hash',
  row: 'D6a',
  notices: 'iterations leave the same files and the same check results, one like the other or two or three in turn',
  config: CONFIG,
  inDefault: true,
  create: (config) => workspaceHash(config),
});
