import { runOfEffect } from './effect-names.ts';
import type { RunRecord } from './event-store.ts';

/** A run as a store lists it, besides its events. */
export type Listed = Pick<RunRecord, 'run' | 'root' | 'parentEffect'>;

/**
 * Why the tree in which a run is listed is not the one that its parents lead to, or null. No chain covers a row: a
 * command for a run would go to whichever run an edited one names.
 */
export function wrongTree(find: (run: string) => Listed | null, { run, root, parentEffect }: Listed): string | null {
  const climbed = new Set([run]);
  let top = run;
  for (let effect = parentEffect; effect !== null;) {
    top = runOfEffect(effect);
    if (climbed.has(top)) return `run ${run} is listed below itself`;
    climbed.add(top);
    const above = find(top);
    if (above === null) return `run ${run} is listed below ${top}, which is not in the log`;
    effect = above.parentEffect;
  }
  return root === top ? null : `run ${run} is listed in the tree of ${root}, not in that of ${top}`;
}

/** What finding the runs of a tree needs of an engine. */
export interface Listing {
  find(run: string): Listed | null;
  /** All runs that are listed in a tree, by its root. */
  tree(root: string): readonly Listed[];
  /** All runs that are listed as opened by an effect of a run, in whichever tree. */
  openedFrom(run: string): readonly Listed[];
}

export interface Below {
  readonly below: readonly string[];
  /** Runs that are listed in the tree or as opened from a run of it, and not both. */
  readonly strays: readonly string[];
}

/** The runs below a run. */
export function runsBelow(listing: Listing, run: string): Below {
  const root = listing.find(run)?.root;
  if (root === undefined) return { below: [], strays: [] };
  const reached = new Set([run]);
  const tree = listing.tree(root);
  // A child is listed after its parent.
  for (const { run: one, parentEffect } of tree)
    if (parentEffect !== null && reached.has(runOfEffect(parentEffect))) reached.add(one);
  const opened = [...reached].flatMap((one) => listing.openedFrom(one));
  const elsewhere = opened.filter((one) => one.root !== root);
  const unreached = run === root ? tree.filter((one) => !reached.has(one.run)) : [];
  const strays = [...elsewhere, ...unreached].map((one) => one.run);
  reached.delete(run);
  return { below: [...reached], strays };
}
