import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { captureFolder } from '../../git/capture/capture-folder.ts';
import { originRepository } from '../../git/worktree/origin-repository.ts';
import { approvableSettings } from './settings-left.ts';
import { runRefs } from '../../git/run-refs.ts';
import { ApprovedGrounds, entryText } from '../../config/grounds-approval.ts';
import { checksOfWork } from '../../config/clean-tree.ts';
import type { AppHost } from '../app-host.ts';
import { knownRun, type NoChange } from '../changes/run-change.ts';
import { type KnownRun, none } from '../changes/run-sides.ts';
import { captureBounds } from '../../actors/capture/capture-actor.ts';
import { plannedLegs } from '../../verification/plan-legs.ts';

type Host = Pick<AppHost, 'log' | 'definitions'>;

/** The grounds that were approved, by path. Empty: the run has left none that it changed. */
export interface ApprovedLeft {
  readonly kind: 'approved';
  readonly paths: readonly string[];
}

/**
 * A person lets the grounds count that a run which works no more has left: exactly as it left them, in the next runs of
 * this repository. Its log is closed and takes no more events, so the person's own folder remembers it. Throws a
 * `GitError`, and what the file system says.
 */
export async function approveLeft(host: Host, run: string, userFolder: string): Promise<ApprovedLeft | NoChange> {
  const known = await knownRun(host, run);
  if ('kind' in known) return known;
  const { settings, call } = known;
  const refs = await runRefs(run, call);
  const isFork = (await host.log.run(run))?.forkedFrom != null;
  const base = (isFork ? undefined : settings.proof?.base) ?? refs.get('0');
  const end = refs.get('end') ?? (await captureNow(host, known));
  const origin = await originRepository(call.directory);
  if (base === undefined || end === undefined || origin === null)
    return none(known, 'git has no capture of what it began with, or left');
  const folder = await makeTemporaryFolder('grounds');
  try {
    const { protect = [], unprotect = [] } = settings.proof ?? {};
    const rules = {
      checks: checksOfWork(settings.checks),
      folder: origin.prefix.replace(/\/$/, ''),
      protect,
      unprotect,
    };
    const plan = await plannedLegs({ base, work: end }, rules, { ...call, index: join(folder, 'index') });
    const { changes, base: before, trees } = plan;
    const [, left] = trees;
    const approved = changes.map(({ path }) => ({
      // As git has it: a name that is no UTF-8 is another one as text.
      path: (left.get(path) ?? before.get(path))?.name ?? path,
      entry: entryText(left.get(path) ?? null),
    }));
    const settingsOf = await approvableSettings(run, call);
    const all = [...approved, ...settingsOf];
    if (all.length > 0) await new ApprovedGrounds(userFolder).add(origin.common, all);
    return { kind: 'approved', paths: [...changes, ...settingsOf].map(({ path }) => path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One that was killed has left the workspace as it is. */
async function captureNow({ log }: Host, { run, settings }: KnownRun): Promise<string | undefined> {
  const asked = { run, number: null, listsChanges: false, store: log.store };
  const input = { ...asked, directory: settings.directory, ...captureBounds(settings) };
  return (await captureFolder(input, new AbortController().signal))?.hash;
}
