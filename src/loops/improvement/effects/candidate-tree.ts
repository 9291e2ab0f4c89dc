import { createHash } from 'node:crypto';
import type { ChangedFile, EventOf } from '../../../../machines/events.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { bringPlan, withMergedTree } from '../../../git/bring/bring-plan.ts';
import { MAX_CHANGED_FILES } from '../../../actors/capture/capture-actor.ts';
import type { GitCall } from '../../../git/process/git.ts';
import { runRefs } from '../../../git/run-refs.ts';
import { type TreeChange, treeChanges, treeEntries, treePatch } from '../../../git/tree-change.ts';
import { isThere } from '../../../git/worktree/worktree-place.ts';
import { captured } from '../../shared/effects/untold-capture.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** What an experiment has left. */
export interface BuiltCandidate {
  readonly base: string;
  readonly tree: string;
  readonly changed: readonly ChangedFile[];
  readonly changes: readonly TreeChange[];
  /** SHA-256 of the change, in hex. */
  readonly modification: string;
}

interface Experiment {
  /** The run that worked in it. */
  readonly child: string;
  readonly settings: RunSettings;
  readonly prepared: EventOf<'experiment.prepared'>['payload'];
}

/**
 * Captures the worktree of an experiment as what its run has left. Where the worktree is gone, what was captured of it
 * before: an evaluation that is started again comes to the same. A string says why there is nothing.
 */
export async function builtCandidate(
  { child, settings, prepared }: Experiment,
  services: Pick<EffectServices, 'capture'>,
  call: GitCall,
): Promise<BuiltCandidate | string> {
  const { isolation, directory, base } = prepared;
  const own = { ...settings, directory, isolation };
  const taken = (await isThere(isolation.top))
    ? await captured({ services, run: child, settings: own }, 'end')
    : { hash: (await runRefs(child, call)).get('end') ?? null, failure: `its worktree ${isolation.top} is gone` };
  if (taken.hash === null) return taken.failure ?? 'its worktree is in no git work tree any more';
  const tree = taken.hash;
  const changes = await treeChanges(base, tree, call);
  const changed = changes.slice(0, MAX_CHANGED_FILES).map(({ path, added, removed }) => ({ path, added, removed }));
  const hash = createHash('sha256');
  for await (const part of treePatch({ from: base, to: tree, leaveOut: [] }, call)) hash.update(part);
  return { base, tree, changes, changed, modification: hash.digest('hex') };
}

/** The head with the change of a candidate, or why it cannot be made. */
export type Applied =
  | { readonly kind: 'applied'; readonly tree: string }
  | { readonly kind: 'refused'; readonly because: string };

const MAX_NAMED = 10;

/** Brings the change of a candidate into the tree of the head, file by file, as `apply` does. Throws a `GitError`. */
export async function appliedTo(
  head: string,
  { base, tree, changes }: Pick<BuiltCandidate, 'base' | 'tree' | 'changes'>,
  call: GitCall,
): Promise<Applied> {
  if (changes.length === 0) return { kind: 'refused', because: 'nothing has changed' };
  if (base === head) return { kind: 'applied', tree };
  const { steps, kept } = await bringPlan(changes, { now: await treeEntries(head, call) }, call);
  if (kept.length > 0) {
    const named = kept.slice(0, MAX_NAMED).map(({ path, because }) => `${path}: ${because}`);
    const more = kept.length > named.length ? `; and ${kept.length - named.length} more` : '';
    return {
      kind: 'refused',
      because: `the head has changed since, and it does not apply: ${named.join('; ')}${more}`,
    };
  }
  if (steps.length === 0) return { kind: 'refused', because: 'the head has this change already' };
  return { kind: 'applied', tree: await withMergedTree(head, steps, call, async ({ hash }) => hash) };
}
