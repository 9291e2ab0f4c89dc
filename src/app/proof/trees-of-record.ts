import { type TreeChange, treeChanges } from '../../git/tree-change.ts';
import { runRef } from '../../git/run-refs.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import type { AppHost } from '../app-host.ts';
import { type KnownRun, type NoCapture, none, type Side } from '../changes/run-sides.ts';

/** The workspace as a run found it, and as it left it. */
export interface ProvenSides {
  readonly start: Side;
  readonly end: Side;
}

type Host = Pick<AppHost, 'log'>;

/**
 * The sides of a run, once they agree with its log. Git's references name them, and any process of the run can move
 * those; so what the log has recorded decides. A run that succeeded is proven on the tree that its checks have passed
 * on, also where files were added since, as checks leave them. Where another tree than the recorded one is named, the
 * answer says which, and what to do.
 */
export async function asRecorded(
  { log }: Host,
  known: KnownRun,
  { start, end }: ProvenSides,
): Promise<ProvenSides | NoCapture> {
  const { run, settings, call, leaveOut } = known;
  const base = (await log.run(run))?.forkedFrom ? undefined : settings.isolation?.base;
  if (base !== undefined && base !== start.tree) {
    return moved(known, { name: 0, tree: start.tree, recorded: base, fact: 'the run began with' });
  }
  const passed = await passedTree(log, run);
  if (passed === null || passed.tree === end.tree) return { start, end };
  const recorded = passed.tree;
  const changes = await treeChanges(recorded, end.tree, call, leaveOut).catch(() => null);
  if (changes?.every(isAdded) !== true) {
    return moved(known, { name: 'end', tree: end.tree, recorded, fact: 'its checks have passed on' });
  }
  const added = changes.length === 1 ? '1 file was' : `${changes.length} files were`;
  const note = `${added} added after the checks had passed, and no part of the proof`;
  return { start, end: { name: `what passed its checks (version ${passed.version})`, tree: recorded, note } };
}

const isAdded = ({ before }: TreeChange): boolean => before === null;

/** The tree that the checks of a run that succeeded have passed on. Null: it did not succeed, or had none. */
async function passedTree(
  log: AppHost['log'],
  run: string,
): Promise<{ readonly tree: string; readonly version: number } | null> {
  let verified: { readonly tree: string; readonly version: number } | null = null;
  let isSuccess = false;
  for await (const fact of readableFacts(log, run)) {
    if (fact.type === 'verification.completed') {
      const { passed, workspace } = fact.payload;
      verified = passed && workspace !== null ? { tree: workspace, version: fact.version } : null;
    }
    if (fact.type === 'decision.made') isSuccess = fact.payload.sink?.ending === 'success';
  }
  return isSuccess ? verified : null;
}

interface Moved {
  readonly name: 0 | 'end';
  readonly tree: string;
  readonly recorded: string;
  /** Between the log and the recorded tree. */
  readonly fact: string;
}

function moved(known: KnownRun, { name, tree, recorded, fact }: Moved): NoCapture {
  const ref = runRef(known.run, name);
  return none(
    known,
    `${ref} names tree ${tree}, and the log has recorded that ${fact} tree ${recorded}. A process has moved the ` +
      'reference, or files were changed after the capture. What differs: ' +
      `git diff ${recorded} ${tree}. To prove what the log has: git update-ref ${ref} ${recorded}`,
  );
}
