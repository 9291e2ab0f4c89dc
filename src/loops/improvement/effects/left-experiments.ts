import type { LoopEvent } from '../../../../machines/events.ts';
import type { Isolation } from '../../../../machines/settings.ts';
import { GitError } from '../../../git/process/git.ts';
import { readableRecord } from '../../../git/worktree/worktree-record.ts';
import { placeAt } from '../../../git/worktree/worktree-place.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { ORIGIN_CHANGED, type OriginRemark } from '../evaluation/changed-origin.ts';
import { experimentsOf } from './experiment-worktree.ts';
import { originRemarksOn } from './origin-since.ts';
import { noTexts } from './recorded-texts.ts';

/**
 * What has changed around experiments that ended without an evaluation: by an error, or because the run was stopped.
 * There is nothing of them to refuse any more. What git cannot say is left out.
 */
export async function remarksOnLeft(
  run: string,
  isolation: Isolation,
  store: string | null,
  underWay: ReadonlySet<string> = new Set(),
): Promise<readonly OriginRemark[]> {
  const { origin, repository } = isolation;
  const found: OriginRemark[] = [];
  for (const { place, candidate } of await experimentsOf(run, isolation)) {
    if (underWay.has(candidate)) continue;
    const experiment = { run, candidate, isolation: { origin, repository, top: place.top }, store };
    const remarks = await originRemarksOn(experiment, noTexts(run), new AbortController().signal).catch(orNone);
    found.push(...remarks.map(({ message }) => ({ code: ORIGIN_CHANGED, message }) as const));
  }
  return found;
}

function orNone(error: unknown): readonly OriginRemark[] {
  if (error instanceof GitError) return [];
  throw error;
}

/** The same as events, before a preparation removes them. `underWay`: the candidates of experiments that it leaves. */
export async function* toldOfLeft(
  { run, settings }: Pick<RunContext, 'run' | 'settings'>,
  underWay: ReadonlySet<string>,
): AsyncIterable<LoopEvent> {
  const { isolation } = settings;
  if (!isolation) return;
  const record = await readableRecord(placeAt(isolation.top));
  for (const payload of await remarksOnLeft(run, isolation, record?.store ?? null, underWay))
    yield { type: 'warning.raised', payload };
}
