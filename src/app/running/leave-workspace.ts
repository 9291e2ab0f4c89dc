import type { Isolation, RunSettings } from '../../../machines/settings.ts';
import { lstat } from 'node:fs/promises';
import type { RunEnd } from '../../runtime/run-end.ts';
import { removeSessions } from './agent-sessions.ts';
import { markEnd } from './mark-end.ts';
import { decidingText } from '../changes/settings-change-text.ts';
import { removeExperiments, remarksOnLeft } from '../../loops/improvement/effects/experiment-worktree.ts';
import { removeContestants } from '../../loops/contest/effects/contestant-worktree.ts';
import { leaveWorktree } from '../isolation/leave-worktree.ts';
import { repositorySince } from '../isolation/repository-since.ts';
import { mendRecord } from '../isolation/run-record.ts';
import type { AppHost } from '../app-host.ts';

type Host = Pick<AppHost, 'log' | 'definitions' | 'services' | 'warn'>;

const MAX_NAMED_FILES = 5;

/**
 * Captures how a run leaves its workspace, and removes its worktree if it has ended, unless another process works on it
 * already. Throws as `leaveWorktree` does.
 */
export async function leaveWorkspace(
  host: Host,
  { run, settings }: { readonly run: string; readonly settings: RunSettings },
  end: RunEnd,
): Promise<void> {
  await host.services.sandboxes.end(async (one) => one === run);
  if (end.kind === 'lost') return leaveWorktree(settings, end, true);
  // Where that fails, so does the capture, and the worktree is kept.
  await mendRecord(host.log, run, settings).catch(() => {});
  const since = Date.parse((await host.log.run(run))?.createdAt ?? '');
  const about = { since, store: host.log.store };
  const { failure, uncaptured, beyond, leftOut, deciding } = await markEnd({ host, run, settings }, about);
  if (failure !== null) {
    const next = settings.isolation && end.kind === 'ended' ? ` ${await keptText(settings.isolation)}` : '';
    host.warn(`the workspace could not be captured as run ${run} left it: ${failure}.${next}`);
  }
  if (leftOut.length > 0) {
    const named = leftOut.slice(0, MAX_NAMED_FILES).map(({ path, because }) => `${path} (${because})`);
    const more = leftOut.length > MAX_NAMED_FILES ? ` and ${leftOut.length - MAX_NAMED_FILES} more` : '';
    host.warn(`not captured, so that diff, apply and undo do not have them: ${named.join(', ')}${more}`);
  }
  if (uncaptured.length > 0) {
    const named = uncaptured.slice(0, MAX_NAMED_FILES).join(', ');
    const more = uncaptured.length > MAX_NAMED_FILES ? ` and ${uncaptured.length - MAX_NAMED_FILES} more` : '';
    host.warn(
      `not captured, because they are in another repository within the workspace: ${named}${more}. diff and apply do ` +
        `not have them; git keeps them: git show refs/loopfold/${run}/uncaptured:PATH`,
    );
  }
  if (beyond > 0) {
    const next = settings.isolation && end.kind === 'ended' ? ': its worktree is kept' : '';
    host.warn(`${beyond} more files in other repositories within the workspace are in no capture at all${next}`);
  }
  if (deciding.length > 0) host.warn(decidingText(run, deciding, settings.isolation !== undefined));
  if (end.kind === 'ended') await removeSessions(run).catch(() => {});
  if (settings.isolation && end.kind === 'ended') {
    for (const { message } of await remarksOnLeft(run, settings.isolation, host.log.store)) host.warn(message);
  }
  if (end.kind === 'ended') {
    const changed = await repositorySince(run, settings).catch(() => null);
    if (changed !== null) host.warn(changed);
  }
  try {
    await leaveWorktree(settings, end, failure === null && beyond === 0);
  } finally {
    // What cannot be removed now `gc` removes.
    if (end.kind === 'ended') await removeBeside(run, settings).catch(() => {});
  }
}

/** Removes the worktrees of its experiments, or of its attempts: these it may have without one of its own. */
async function removeBeside(run: string, { isolation, loop, directory }: RunSettings): Promise<void> {
  if (isolation) return removeExperiments(run, isolation);
  if (loop === 'contest') await removeContestants(run, directory);
}

/** The agent, or a person, may have removed the worktree, or put something else in its place. */
const keptText = async ({ top }: Isolation): Promise<string> =>
  (await lstat(top).catch(() => null))?.isDirectory()
    ? 'Its worktree is kept. Mend that, then: loopfold gc'
    : `Its worktree ${top} is not there any more: what it had since the capture before is lost`;
