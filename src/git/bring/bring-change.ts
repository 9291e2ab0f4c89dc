import { type BringPlan, bringPlan, type Kept, type Step, withMergedTree } from './bring-plan.ts';
import { captureFolder } from '../capture/capture-folder.ts';
import { isBegun, keepRecord, type KnownRecord, readRecord } from './change-record.ts';
import { withoutObstacles } from './disk-obstacles.ts';
import { type GitCall, gitFacts, gitLine } from '../process/git.ts';
import { logNames } from '../capture/log-names.ts';
import { withStagedFiles } from '../worktree/entries-of-store.ts';
import { type TreeChange, treeChanges, treeEntries } from '../tree-change.ts';
import { sameEntry } from '../../evidence/tree-entry.ts';
import { signatureOf } from '../workspace-path.ts';
import { removeDrafts, writeSteps } from './write-steps.ts';

// Brings the change between two trees into a workspace: `apply` from a run's start to its end, `undo` the other way.
//   1. the workspace is captured as it is now, which also keeps every byte that is then replaced
//   2. the three trees are merged, path by path (bring-plan.ts), and the disk is asked (disk-obstacles.ts)
//   3. the plan is recorded (change-record.ts), the files are written (write-steps.ts), and that is recorded
// A second call after a crash in 3 finds the files that are written already, and writes the others.

export interface Bringing {
  readonly run: string;
  readonly verb: 'apply' | 'undo';
  /** A folder of the workspace. */
  readonly directory: string;
  /** Files of the loop's own, from `directory`. */
  readonly leaveOut: readonly string[];
  /** As of the captures of the run. */
  readonly captureLimit?: number | undefined;
  /** The address of the log. Its files stay as they are, whatever the trees have for them. */
  readonly store: string | null;
  /** Trees: the change leads from one to the other. */
  readonly from: string;
  readonly to: string;
  /** Names (as in `TreeChange`) that stay as they are, whatever the trees have for them. */
  readonly without?: readonly string[];
  /** Now, for the record. */
  readonly at: string;
  /**
   * All paths or none; else those that can be brought. A file that changes while others are written is left either way:
   * to take those out again could meet the next edit.
   */
  readonly isWhole: boolean;
  /** Takes the change's content where both have changed the same lines. What was there is kept under `before`. */
  readonly force?: boolean;
  /** Only says what would be done. */
  readonly dryRun?: boolean;
}

export interface Brought {
  /** What was done, or would have been. */
  readonly steps: readonly Step[];
  readonly kept: readonly Kept[];
  /** Paths that an earlier call has brought, and that have changed since. They stay. */
  readonly since: readonly string[];
  /** Whether files were written. */
  readonly isWritten: boolean;
  /** How many paths the change has. */
  readonly paths: number;
  /** When the same was done the last time; null: never. */
  readonly doneAt: string | null;
  /** The tree of the workspace before. */
  readonly before: string;
  /** The top folder of the workspace. */
  readonly root: string;
}

/** Brings a change into a workspace. Null: it is in no git worktree. Throws a `GitError`, or an error of the disk. */
export async function bringChange(asked: Bringing, signal: AbortSignal): Promise<Brought | null> {
  const { run, verb, directory, leaveOut, captureLimit, store, from, to, without = [], force = false } = asked;
  const inFolder: GitCall = { directory, signal };
  const [root = ''] = await gitFacts(['--show-toplevel'], inFolder);
  const all = await treeChanges(from, to, inFolder, await logNames(root, store));
  const left = new Set(without);
  const changes = all.filter(({ name }) => !left.has(name));
  const call: GitCall = { directory: root, signal };
  const last = await readRecord(run, call);
  const same = last?.verb === verb && last.from === from && last.to === to ? last : null;
  if (last?.state === 'begun')
    await removeDrafts(
      changes.map(({ name }) => name),
      { root, run },
    );
  const signatures = await signaturesOf(root, changes);
  const captured = await captureFolder(
    { directory, leaveOut, captureLimit, store, run, number: null, listsChanges: false },
    signal,
  );
  if (!captured) return null;
  const before = captured.hash;
  const now = await treeEntries(before, call);
  const isDone = same ? await doneBefore(same, call) : undefined;
  const planned = await bringPlan(changes, { now, force, ...(isDone ? { isDone } : {}) }, call);
  const plan = await withoutObstacles(root, planned);
  const doneAt = same?.state === 'done' ? same.at : null;
  const found = { ...plan, before: await firstBefore(asked, { last, before }, call) };
  const brought = { ...found, root, kept: inOrder(plan.kept), isWritten: false, paths: all.length, doneAt };
  const isHeldBack = asked.isWhole && plan.kept.length > 0;
  if (asked.dryRun || isHeldBack || plan.steps.length === 0) return brought;
  const late = await write(asked, plan, { root, signatures, before }, call);
  const lateNames = new Set(late.map(({ name }) => name));
  const steps = plan.steps.filter(({ name }) => !lateNames.has(name));
  return { ...brought, steps, kept: inOrder([...plan.kept, ...late]), isWritten: steps.length > 0 };
}

/** What a killed process has written is not the workspace before. */
async function firstBefore(
  asked: Bringing,
  { last, before }: { readonly last: KnownRecord | null; readonly before: string },
  call: GitCall,
): Promise<string> {
  const [first] = last && isBegun(last, asked) ? last.parents : [];
  return first === undefined ? before : gitLine(['rev-parse', `${first}^{tree}`], call);
}

const inOrder = (kept: readonly Kept[]): readonly Kept[] =>
  kept.toSorted((one, other) => (one.name < other.name ? -1 : 1));

interface Place {
  readonly root: string;
  readonly signatures: ReadonlyMap<string, string | null>;
  readonly before: string;
}

function write(asked: Bringing, plan: BringPlan, place: Place, call: GitCall): Promise<readonly Kept[]> {
  const { run, verb, at, from, to } = asked;
  const { root, signatures, before } = place;
  return withMergedTree(before, plan.steps, call, async ({ hash: after, index }) =>
    withStagedFiles(plan.steps, { ...call, index }, async (staged) => {
      const record = { verb, at, from, to, kept: plan.kept.map(({ name }) => name) };
      await keepRecord(run, { ...record, state: 'begun' }, { before, after }, call);
      const late = await writeSteps(plan.steps, { root, staged, run, signatures });
      const kept = [...record.kept, ...late.map(({ name }) => name)];
      await keepRecord(run, { ...record, kept, state: 'done' }, { before, after }, call);
      return late;
    }),
  );
}

/** Paths as an earlier call has left them, and, once it was finished, those that a person has changed since. */
async function doneBefore(record: KnownRecord, call: GitCall) {
  const after = await treeEntries(record.tree, call);
  const kept = new Set(record.kept);
  return (name: string, now: Parameters<typeof sameEntry>[0]): boolean =>
    !kept.has(name) && (record.state === 'done' || sameEntry(now, after.get(name) ?? null));
}

async function signaturesOf(root: string, changes: readonly TreeChange[]): Promise<ReadonlyMap<string, string | null>> {
  const signatures = new Map<string, string | null>();
  for (const { name } of changes) signatures.set(name, await signatureOf(root, name));
  return signatures;
}
