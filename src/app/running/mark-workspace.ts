import type { RunSettings } from '../../../machines/settings.ts';
import { abandonedDrafts, removeAbandoned } from '../../git/capture/old-drafts.ts';
import { type GitCall, GitError } from '../../git/process/git.ts';
import { isOutsideGit } from '../../git/git-worktree.ts';
import { forgetRuns } from '../../git/worktree/remove-worktree.ts';
import { forgetEnd, inheritRefs, keepHead, keepRunLog, keepStart, rememberEnd } from '../../git/run-refs.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { callOf } from '../../actors/capture-repository.ts';
import type { AppHost } from '../app-host.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { newestOf } from '../../kernel/loop-definition.ts';
import { mayWrite } from '../../loops/turn/effects/may-write.ts';
import { captured, type Taken } from '../../loops/shared/effects/untold-capture.ts';

// The captures that no fact of a run names: the workspace as it found it, and as it left it. `diff`, `apply` and `undo`
// rest on them.

export type Host = Pick<AppHost, 'definitions'> & { readonly services: Pick<AppHost['services'], 'capture'> };

export interface Marked {
  readonly host: Host;
  readonly run: string;
  readonly settings: RunSettings;
}

/** Runs below another one are part of its change. */
export const isCaptured = ({ settings, host }: Marked): boolean => {
  const loop = newestOf(settings.loop, host.definitions);
  return settings.parent === null && loop !== undefined && mayWrite(settings, loop);
};

/** Captures its workspace under a number, as no fact of it tells. Null: under none. */
export const capturedAsMarked = (
  { host: { services }, run, settings }: Marked,
  number: Parameters<typeof captured>[1],
): Promise<Taken> => captured({ services, run, settings }, number);

// The capture of the workspace as a run found it, and what becomes of it and that of the end (mark-end.ts) when the run
// works again. A run is not hindered by one that fails: its change is then not known, and the verbs say so.

/**
 * Captures the workspace as the run finds it, as number 0, so that earlier changes do not count as the run's. Where the
 * capture fails, the run's first changes are listed against the last commit. Throws an `EnvironmentError` where it
 * would be too large.
 */
export async function markStart(marked: Marked): Promise<MarkedStart> {
  const { run, settings } = marked;
  if (!isCaptured(marked)) return { hash: null, failure: null };
  await sweepDrafts(settings);
  const { hash, failure, code } = await capturedAsMarked(marked, 0);
  if (code === 'large_start') {
    await inRepository(settings, ({ directory }) => forgetRuns([run], directory));
    throw new EnvironmentError(code, failure ?? code);
  }
  // A worktree keeps the commit that it was made from: by now another one may be checked out in the folder.
  if (hash === null) return { hash, failure };
  if (!settings.isolation) await atOrigin(settings, (call) => keepHead(run, call));
  return { hash, failure: null };
}

export interface MarkedStart {
  /** The tree of the capture. Null: there is none. */
  readonly hash: string | null;
  /** Why the capture failed. Null: it did not, or there is nothing to capture. */
  readonly failure: string | null;
}

/** What is to be kept of a run that is about to work again. */
export interface MarkedAgain {
  /** Called with the run that works then: a continuation has an id of its own. */
  readonly begun: (live: string) => Promise<void>;
  /** Called where no run works. */
  readonly refused: () => Promise<void>;
}

const NOTHING_MARKED: MarkedAgain = { begun: async () => {}, refused: async () => {} };

/**
 * Before a run is resumed or continued. How it left the workspace is forgotten before it can change anything: a process
 * that is killed then leaves no end, rather than an old one. A continuation, whose id is only known when it works,
 * starts from the workspace as it is now. Throws an `EnvironmentError` where git does not forget.
 */
export async function markAgain({ log, ...host }: Host & Pick<AppHost, 'log'>, run: string): Promise<MarkedAgain> {
  const record = await log.run(run);
  const settings = record && (await readSettings(log, record.root));
  if (!settings) return NOTHING_MARKED;
  const marked = { host, settings, run: record.root };
  if (!isCaptured(marked)) return NOTHING_MARKED;
  const isOver = (await log.run(record.root))?.closed !== null;
  if (!isOver) return markResumed(marked);
  const { hash } = await capturedAsMarked(marked, null);
  if (hash === null) return NOTHING_MARKED;
  const begun = async (live: string) => {
    await inRepository(settings, async (call) => {
      await keepRunLog(live, log.store, call);
      await keepStart(live, hash, call);
      // The change of both is one: it goes by the same rules.
      await inheritRefs(record.root, live, ['rules', 'settings'], call);
    });
    await atOrigin(settings, (call) => keepHead(live, call));
  };
  return { ...NOTHING_MARKED, begun };
}

async function markResumed({ run, settings }: Marked): Promise<MarkedAgain> {
  const end = await forgetEnd(run, callOf(settings)).catch((error: unknown) => {
    // Outside git there are no refs, and nothing to forget.
    if (error instanceof GitError && error.command !== 'update-ref') return null;
    throw new EnvironmentError(
      'no_git',
      `git cannot forget how run ${run} left its workspace, so that would be taken for its end: ` +
        `${error instanceof Error ? error.message : String(error)}. Mend that, and resume the run again`,
    );
  });
  const refused = () =>
    inRepository(settings, async (call) => (end === null ? undefined : rememberEnd(run, end, call)));
  return { ...NOTHING_MARKED, refused };
}

/** The run holds its workspace: old unfinished files there are of processes that were killed. */
async function sweepDrafts({ directory }: RunSettings): Promise<void> {
  if (isOutsideGit(directory)) return;
  try {
    await removeAbandoned(await abandonedDrafts(directory, { andIgnored: false }));
  } catch {
    // They are in the way of no run, and `gc` removes them.
  }
}

type Work = (call: GitCall) => Promise<void>;

/** In the folder that the run was given: a worktree of its own has another commit. */
const atOrigin = ({ isolation, directory }: RunSettings, work: Work): Promise<void> =>
  // The capture has its worth without it, and the run without both.
  work({ directory: isolation?.origin ?? directory }).catch(() => {});

/** In the repository that keeps the captures: a linked worktree that the run was given may be gone. */
const inRepository = ({ isolation, directory }: RunSettings, work: Work): Promise<void> =>
  work(callOf({ isolation, directory })).catch(() => {});
