import { join } from 'node:path';
import { v5 as uuid } from 'uuid';
import type { Isolation } from '../../../../machines/settings.ts';
import { removeWorktree } from '../../../git/worktree/remove-worktree.ts';
import { readableRecord, worktreePlaces } from '../../../git/worktree/worktree-record.ts';
import { mainRootOf, placeAt, type WorktreePlace, worktreesIn } from '../../../git/worktree/worktree-place.ts';
import type { LoopEvent } from '../../../../machines/events.ts';
import { GitError } from '../../../git/process/git.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { ORIGIN_CHANGED, type OriginRemark } from '../evaluation/origin-change.ts';
import { originRemarksOn } from './origin-since.ts';
import { noTexts } from './texts-of-record.ts';

/** Names the worktrees of experiments: any constant that is only used for them. */
const EXPERIMENTS = '6f0d9c1e-52a7-4f6b-9a53-0c2b6f5d7e11';

/** One experiment of a run. */
export interface Experiment {
  readonly run: string;
  readonly iteration: number;
  /** The id of its candidate. */
  readonly candidate: string;
}

/**
 * Where the worktree of an experiment lies: beside that of its run, under a name that is always the same, so that what
 * a killed process has made of it is found again.
 */
export const experimentPlace = (
  { run, iteration, candidate }: Experiment,
  { top }: Pick<Isolation, 'top'>,
): WorktreePlace =>
  placeAt(join(worktreesIn(mainRootOf({ top })), uuid(JSON.stringify([run, iteration, candidate]), EXPERIMENTS)));

/** Where the worktrees of these experiments of a run lie, also while they are made. */
export const placesOf = (
  experiments: readonly Omit<Experiment, 'run'>[],
  run: string,
  isolation: Pick<Isolation, 'top'>,
): readonly WorktreePlace[] =>
  experiments.map(({ iteration, candidate }) => experimentPlace({ run, iteration, candidate }, isolation));

/**
 * Removes the worktrees of the experiments of a run, except for those at these places. Throws the error of the disk;
 * what is left then `gc` removes after the end of the run.
 */
export async function removeExperiments(
  run: string,
  { top }: Pick<Isolation, 'top'>,
  except: readonly WorktreePlace[] = [],
): Promise<void> {
  for (const { place } of await experimentsOf(run, { top }))
    if (!except.some((kept) => kept.top === place.top)) await removeWorktree(place);
}

/** The worktrees of experiments of a run that are there, wholly or in part, with the id of the candidate of each. */
async function experimentsOf(
  run: string,
  { top }: Pick<Isolation, 'top'>,
): Promise<readonly { readonly place: WorktreePlace; readonly candidate: string }[]> {
  const found: { readonly place: WorktreePlace; readonly candidate: string }[] = [];
  for (const place of await worktreePlaces(worktreesIn(mainRootOf({ top })))) {
    const record = await readableRecord(place);
    if (record?.run === run && record.experiment !== undefined) found.push({ place, candidate: record.experiment });
  }
  return found;
}

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
