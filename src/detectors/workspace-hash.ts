import { z } from 'zod';
import { contentHash } from '../strategies/report.ts';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { followed, type Iterating, NOT_ITERATING } from './iteration-end.ts';
import { detectorKind } from './detector-kind.ts';

const MAX_HASHES = 100;

export interface Hashes {
  readonly iterating: Iterating;
  readonly kept: readonly { readonly hash: string; readonly id: string }[];
}

const CONFIG = z
  .strictObject({
    keep: wholeWithin(2, MAX_HASHES, 'iterations').default(5),
    repeats: whole(2, 'iterations').default(3),
  })
  .refine(({ keep, repeats }) => repeats <= keep, {
    path: ['repeats'],
    error: 'at most `keep`: more are not remembered',
  });

/**
 * D6a: the last iterations left the same workspace with the same check results. An iteration whose workspace has no
 * hash, as outside git, is skipped: what it left is unknown.
 */
export function workspaceHash({ keep, repeats }: z.output<typeof CONFIG> = CONFIG.parse({})): Detector<Hashes> {
  return {
    name: 'workspace-hash',
    init: () => ({ iterating: NOT_ITERATING, kept: [] }),
    step: (before, event): Noticed<Hashes> => {
      const { state: iterating, ended } = followed(before.iterating, event);
      if (!ended || ended.workspace === null) return { state: { ...before, iterating } };
      const hash = contentHash(ended.report, ended.workspace);
      const kept = [...before.kept, { hash, id: ended.id }].slice(-keep);
      const state = { iterating, kept };
      const same = kept.slice(kept.findLastIndex((one) => one.hash !== hash) + 1);
      if (same.length < repeats) return { state };
      const message = `${same.length} iterations in a row left the same files and the same check results (${hash})`;
      const evidence = same.map(({ id }) => id);
      return { state, finding: { detector: 'workspace-hash', level: 'stop', count: same.length, message, evidence } };
    },
  };
}

export const workspaceHashKind = detectorKind({
  name: 'workspace-hash',
  row: 'D6a',
  notices: 'iterations leave the same files and the same check results',
  config: CONFIG,
  inDefault: true,
  create: (config) => workspaceHash(config),
});
