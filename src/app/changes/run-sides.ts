import type { RunSettings } from '../../../machines/settings.ts';
import { captureFolder } from '../../git/capture/capture-folder.ts';
import type { GitCall } from '../../git/process/git.ts';
import { runRefs } from '../../git/run-refs.ts';
import { isThere } from '../../git/worktree/worktree-place.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import type { AppHost } from '../app-host.ts';
import { captureBounds } from '../../actors/capture/capture-actor.ts';
import { isFolder } from '../start/is-folder.ts';

/** A state of a run: how it found the workspace, how it left it, or a version of its log. Absent: how it left it. */
export interface RunSide {
  readonly run: string;
  readonly at?: number | 'start' | 'end' | undefined;
}

/** The workspace in one state of a run. */
export interface Side {
  /** Such as `its start`. */
  readonly name: string;
  /** The hash of its tree. */
  readonly tree: string;
  /** What the reader should know of it: null for the capture that was asked for. */
  readonly note: string | null;
}

/** A state that no capture shows, and what to do. */
export interface NoCapture {
  readonly kind: 'no_capture';
  readonly run: string;
  readonly message: string;
  /** The verb that can make the capture; absent: none can. */
  readonly remedy?: 'gc';
}

/** What is known of a run whose change is asked for. */
export interface KnownRun {
  readonly run: string;
  readonly settings: RunSettings;
  /** The version of its newest event. */
  readonly version: number;
  readonly isLive: boolean;
  /** It has ended. */
  readonly isClosed: boolean;
  readonly call: GitCall;
  /** The files of the log in its workspace, from the root: they belong to no change. */
  readonly leaveOut: readonly string[];
}

type Host = Pick<AppHost, 'log' | 'definitions'>;
type Found = Side | NoCapture;

const NO_START =
  'git has no capture of its start. There is one of every run that can write, in a git work tree, and until it is removed';

/** The workspace in a state of a run. */
export async function sideOf({ log }: Host, known: KnownRun, at: RunSide['at']): Promise<Found> {
  const refs = await runRefs(known.run, known.call);
  const start = refs.get('0');
  if (start === undefined) return none(known, (await beforeCaptures(log, known.run)) ?? NO_START);
  if (at === 'start' || at === 0) return { name: 'its start', tree: start, note: null };
  if (at === undefined || at === 'end' || at === known.version) return endOf(log, known, refs);
  if (at > known.version)
    return none(known, `its log ends with version ${known.version}: version ${at} does not exist`);
  const { tree, version } = await captureBefore(log, known.run, at);
  if (tree === null) return { name: 'its start', tree: start, note: `no capture between its start and version ${at}` };
  return { name: `version ${version}`, tree, note: version === at ? null : `version ${version} is the newest capture` };
}

async function endOf(log: Host['log'], known: KnownRun, refs: ReadonlyMap<string, string>): Promise<Found> {
  // Of a run that has ended a worker may still deliver the change, elsewhere.
  if (known.isLive && (await isFolder(known.settings.directory))) return present(known, log.store);
  const end = refs.get('end');
  // A run that is open may go on from it.
  if (end !== undefined) return { name: known.isClosed ? 'its end' : 'its latest capture', tree: end, note: null };
  const newest = [...refs.keys()]
    .map(Number)
    .filter((number) => number > 0)
    .toSorted((a, b) => b - a)[0];
  const tree = refs.get(String(newest));
  if (tree === undefined) {
    const remedy = (await isInWorktree(known)) ? ({ remedy: 'gc' } as const) : {};
    return { ...none(known, await uncaptured(log, known)), ...remedy };
  }
  const note = `${await uncaptured(log, known)}. This is its capture ${newest}`;
  return { name: `its capture ${newest}`, tree, note };
}

/** Why there is no capture of what a run left, and what to do. */
async function uncaptured(log: Host['log'], known: KnownRun): Promise<string> {
  const { run, isClosed } = known;
  const { isolation } = known.settings;
  if (!isClosed)
    return 'its process was gone before it could capture what it left. Resume it: it then is captured when it leaves';
  if (isolation && (await isInWorktree(known)))
    return `what it left was not captured, and is in ${isolation.top}: loopfold gc captures it, once it can`;
  const since = isolation ? '' : `. What has changed since it began: git diff refs/loopfold/${run}/0`;
  const before = await beforeCaptures(log, run);
  return `${before ?? 'it ended without a capture of what it left: its process was gone, or git failed'}${since}`;
}

/** While `run.started` had this schema, captures of starts and of ends came. */
const SCHEMA_OF_CAPTURES = 3;

/** Says that a run was recorded before captures of starts and ends were kept; null where they were. */
async function beforeCaptures(log: Host['log'], run: string): Promise<string | null> {
  for await (const { schema } of log.read(run, { from: 1, to: 1 })) {
    if (schema <= SCHEMA_OF_CAPTURES) return 'it was recorded before loopfold kept captures of starts and of ends';
  }
  return null;
}

/** Whether what an ended run left is in its worktree still. */
const isInWorktree = async ({ settings: { isolation }, isClosed }: KnownRun): Promise<boolean> =>
  isClosed && isolation !== undefined && (await isThere(isolation.top));

/** A run that works has no end: the workspace as it is now, kept under no name. */
async function present(known: KnownRun, store: string): Promise<Found> {
  const { run, settings } = known;
  const input = {
    directory: settings.directory,
    ...captureBounds(settings),
    store,
    run,
    number: null,
    listsChanges: false,
  };
  const captured = await captureFolder(input, new AbortController().signal);
  if (!captured) return none(known, `${settings.directory} is in no git work tree any more`);
  return { name: 'now', tree: captured.hash, note: 'it is running: its change is not complete' };
}

export const none = ({ run }: Pick<KnownRun, 'run'>, message: string): NoCapture => ({
  kind: 'no_capture',
  run,
  message,
});

async function captureBefore(log: Host['log'], run: string, at: number) {
  let found: { tree: string | null; version: number } = { tree: null, version: 0 };
  for await (const fact of readableFacts(log, run)) {
    if (fact.version > at) break;
    if (fact.type === 'workspace.captured' && fact.payload.hash !== null)
      found = { tree: fact.payload.hash, version: fact.version };
  }
  return found;
}
