import { bringChange, type Brought } from '../../git/bring/bring-change.ts';
import { appliedParts, type KnownRecord, readRecord } from '../../git/bring/change-record.ts';
import { decidingAmong, type DecidingFile } from '../../config/settings-places.ts';
import type { Holder } from '../../log/lease-store.ts';
import { whileHolding } from '../holds/under-hold.ts';
import { WorkspaceHeldError } from '../holds/workspace-held-error.ts';
import { captureBounds } from '../../actors/capture/capture-actor.ts';
import { workspaceFolder } from './change-folders.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import { firstUnapplied } from './change-branch.ts';
import { isFolder } from '../start/is-folder.ts';
import { keptByUndo, type KeptPath } from './paths-of-undo.ts';
import type { AppHost } from '../app-host.ts';
import { knownRun, type NoChange } from './run-change.ts';
import { type KnownRun, none, sideOf } from './run-sides.ts';

/** One file that was written, or would have been. */
export interface BroughtPath {
  readonly path: string;
  /** `merged`: what else had changed in it is kept. */
  readonly what: 'written' | 'removed' | 'merged';
}

/** What `apply` and `undo` did. */
export interface BroughtChange {
  /**
   * `done`: the files are as asked. `partial`: except those in `kept`; of `apply`, they changed while the others were
   * written, and a second call merges them. `conflict`: nothing was written, because of `kept`. `nothing`: the
   * workspace was as asked already.
   */
  readonly kind: 'done' | 'partial' | 'conflict' | 'nothing';
  readonly run: string;
  /** The folder whose worktree it is about. */
  readonly workspace: string;
  /** The folder that the run was given: another one where the project of the log was copied or moved since. */
  readonly given: string;
  /** Empty in a conflict. */
  readonly files: readonly BroughtPath[];
  /** Which of these files later runs go by: their configuration, and the pages of their agents. */
  readonly deciding: readonly DecidingFile[];
  readonly kept: readonly KeptPath[];
  /** Files that an earlier call has brought, and that have changed since. They stay. */
  readonly since: readonly string[];
  /** How many files the change has. */
  readonly paths: number;
  /** When the same was done the last time, as ISO 8601; null: never. */
  readonly doneAt: string | null;
  /** The tree of the workspace before, with every file that was replaced. */
  readonly before: string;
}

/** Another process works in the workspace: wait for it, or abort its run. */
export interface WorkspaceHeld {
  readonly kind: 'held';
  readonly run: string;
  /** No process works on that run: its change is brought into the workspace, or taken out, at this moment. */
  readonly isBringing: boolean;
  readonly by: Holder;
}

export interface BringOptions {
  /** Says what would be done, and writes nothing. */
  readonly check?: boolean;
  /** `undo` only: also where the same lines have changed since. What was there stays in git, under `before`. */
  readonly force?: boolean;
}

type Host = Pick<AppHost, 'log' | 'definitions' | 'services' | 'holds' | 'warn'>;

/** Brings the change of a run into the workspace it belongs to: all of it, or nothing where it does not fit. */
export async function applyChange(host: Host, run: string, { check = false }: BringOptions = {}) {
  const asked = await prepared(host, run);
  if ('kind' in asked) return asked;
  const { known, start, end, record } = asked;
  // Applied before it went on: only what was added since is to be applied.
  const from = record?.verb === 'apply' && record.state === 'done' ? fromOf(record, start, end) : start;
  return bring(host, known, { verb: 'apply', from, to: end, isWhole: true, dryRun: check });
}

/** Brings the files back to what they were when a run began, but for those that have changed since. */
export async function undoChange(host: Host, run: string, { check = false, force = false }: BringOptions = {}) {
  const asked = await prepared(host, run);
  if ('kind' in asked) return asked;
  const { known, start, end, record } = asked;
  const parts = record ? await appliedParts(record, known.call) : [];
  const isApplied = known.settings.isolation && record !== null && parts.length > 0;
  return bring(host, known, {
    verb: 'undo',
    from: isApplied ? record.to : end,
    to: parts.at(-1)?.from ?? start,
    without: leftBy(parts),
    isWhole: false,
    force,
    dryRun: check,
  });
}

/** What `apply` had to leave has nothing of the change, unless a repeated `apply` has brought it. Newest first. */
function leftBy(parts: readonly KnownRecord[]): string[] {
  const newest = parts.filter(
    ({ from, to }, index) => parts.findIndex((part) => part.from === from && part.to === to) === index,
  );
  return newest.flatMap(({ kept }) => kept);
}

const fromOf = ({ from, to }: { from: string; to: string }, start: string, end: string): string =>
  to === end || from !== start ? start : to;

async function prepared(host: Host, run: string) {
  const known = await knownRun(host, run);
  if ('kind' in known) return known;
  const held = await heldBy(host, known);
  if (held) return held;
  const record = await readRecord(run, known.call);
  const start = await sideOf(host, { ...known, run: await firstUnapplied(host, known) }, 'start');
  if ('kind' in start) return start;
  const end = await sideOf(host, known, 'end');
  if ('kind' in end) return end;
  // What was applied is taken out again as it was applied, whatever was applied since.
  const from = record?.verb === 'apply' ? record.from : start.tree;
  return { known, start: from, end: end.tree, record };
}

/** A run has no end while a process works on it. */
async function heldBy({ log }: Host, { run, isLive }: KnownRun): Promise<WorkspaceHeld | null> {
  const by = isLive ? await log.holder(run) : null;
  return by && { kind: 'held', run, isBringing: false, by };
}

type Asked = Pick<
  Parameters<typeof bringChange>[0],
  'verb' | 'from' | 'to' | 'without' | 'isWhole' | 'force' | 'dryRun'
>;

/** Another run would see files change under it. */
async function bring(host: Host, known: KnownRun, asked: Asked): Promise<BroughtChange | NoChange | WorkspaceHeld> {
  const workspace = await workspaceFolder(host.log, known.run, known.settings);
  if (workspace === null) return withoutFolder(known, asked, host.log.store);
  const work = () => brought(host, known, workspace, asked);
  if (asked.dryRun) return work();
  try {
    return await whileHolding(host, { run: known.run, directory: workspace }, work);
  } catch (error) {
    if (!(error instanceof WorkspaceHeldError)) throw error;
    const { run, process } = error.holder;
    // Of a run in another log nothing is known here.
    const isBringing = (await host.log.run(run)) !== null && (await host.log.holder(run)) === null;
    return { kind: 'held', run, isBringing, by: process };
  }
}

const ELSEWHERE = {
  apply: 'take the change elsewhere: apply --branch NAME, or apply --patch FILE',
  undo: 'take it out elsewhere: diff RUN | git apply --reverse',
} as const;

/** Nothing is written into a folder that only may be the one that was meant. */
async function withoutFolder(known: KnownRun, { verb }: Asked, store: string): Promise<NoChange> {
  const folder = givenFolder(known.settings);
  if (await isFolder(folder)) {
    const other = `its change belongs to ${folder}, which has no copy in the project of this log, ${store}`;
    return none(
      known,
      `${other}. To bring it there: loopfold ${verb} ${known.run} -C ${folder}. Or ${ELSEWHERE[verb]}`,
    );
  }
  const gone = `${folder}, which its change belongs to, is not there any more`;
  return none(known, `${gone}. If it was moved: ln -s NEW_PLACE ${folder}. Or ${ELSEWHERE[verb]}`);
}

async function brought(
  { log, services }: Host,
  known: KnownRun,
  workspace: string,
  asked: Asked,
): Promise<BroughtChange | NoChange> {
  const { run, settings } = known;
  const at = new Date(services.clock.now()).toISOString();
  const signal = new AbortController().signal;
  const made = await bringChange(
    { ...asked, ...captureBounds(settings), run, directory: workspace, store: log.store, at },
    signal,
  );
  if (!made) return none(known, `${workspace} is ignored by the repository around it`);
  const { steps, since, paths, doneAt, before, root } = made;
  const isInPlace = asked.verb === 'undo' && !settings.isolation;
  const kept = isInPlace
    ? await keptByUndo({ run, start: asked.to, kept: made.kept }, { directory: root })
    : made.kept.map(({ path, because }) => ({ path, because }));
  const kind = kindOf({ ...made, kept }, asked);
  const written = steps.map(({ path, next, isMerged }) => ({ path, what: whatOf(next !== null, isMerged) }));
  const files = kind === 'conflict' ? [] : written;
  return {
    kind,
    run,
    workspace,
    given: givenFolder(settings),
    files,
    deciding: decidingAmong(files.map(({ path }) => path)),
    kept,
    since,
    paths,
    doneAt,
    before,
  };
}

const whatOf = (isThere: boolean, isMerged: boolean): BroughtPath['what'] => {
  if (!isThere) return 'removed';
  return isMerged ? 'merged' : 'written';
};

function kindOf(
  { steps, kept, isWritten }: Pick<Brought, 'steps' | 'isWritten'> & { readonly kept: readonly KeptPath[] },
  { isWhole }: Asked,
): BroughtChange['kind'] {
  if (kept.length > 0) return isWhole && !isWritten ? 'conflict' : 'partial';
  return steps.length === 0 ? 'nothing' : 'done';
}
