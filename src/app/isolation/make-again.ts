import type { Remade } from '../../../machines/events.ts';
import type { Isolation } from '../../../machines/settings.ts';
import { originRepository } from '../../git/worktree/origin-repository.ts';
import { runRefs } from '../../git/run-refs.ts';
import { placeAt } from '../../git/worktree/worktree-place.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { remadeText } from '../../projections/remade-text.ts';
import { EnvironmentError, remedyFor } from '../../actors/environment-error.ts';
import { orderFromTree } from '../../actors/order-from-tree.ts';
import { GitError } from '../../git/process/git.ts';
import { type MadeWorktree, makeWorktree, type WorktreeOrder } from '../../git/worktree/make-worktree.ts';
import { LargeStartError } from '../../git/capture/start-limits.ts';

/** A worktree that was gone. */
export interface MadeAgain {
  readonly warnings: readonly string[];
  /** From what it was made again. */
  readonly remade: Remade;
}

/** Makes a worktree again from the newest capture. Throws an `EnvironmentError` where it cannot be made. */
export async function madeAgain(record: RunRecord, isolation: Isolation, store: string): Promise<MadeAgain> {
  const { origin: directory, top, repository, base } = isolation;
  const origin = await originRepository(directory);
  if (origin === null) {
    throw new EnvironmentError(
      'no_git',
      `${directory} is in no git work tree any more: the run cannot go on without it`,
    );
  }
  const remade = await newestTree(record, repository, base);
  const { warnings } = await makeOrExplain(
    {
      run: record.run,
      origin,
      store,
      ...orderFromTree(isolation, remade.hash),
      place: placeAt(top),
      remade,
    },
    async () => {},
  );
  return { remade, warnings: [remadeText(remade), ...warnings] };
}

/** The newest tree that git keeps of a run; of a continuation without one, that of the run that it continues. */
export async function newestTree({ run, forkedFrom }: RunRecord, repository: string, base: string): Promise<Remade> {
  for (const one of [run, ...(forkedFrom ? [forkedFrom.run] : [])]) {
    const refs = await runRefs(one, { directory: repository });
    const numbers = [...refs.keys()].filter((name) => /^\d+$/.test(name)).map(Number);
    for (const from of ['end', ...numbers.toSorted((a, b) => b - a)] as const) {
      const hash = refs.get(String(from));
      if (hash !== undefined) return { from, hash };
    }
  }
  return { from: 0, hash: base };
}

/** Throws an `EnvironmentError` with the reason and the remedy, after `cleanUp`. */
export async function makeOrExplain(order: WorktreeOrder, cleanUp: () => Promise<void>): Promise<MadeWorktree> {
  try {
    return await makeWorktree(order);
  } catch (error) {
    await cleanUp().catch(() => {});
    throw explained(error, order);
  }
}

function explained(error: unknown, { directory }: WorktreeOrder): unknown {
  if (error instanceof LargeStartError) return new EnvironmentError(error.code, error.message);
  const { message = '' } = error as Error;
  const known = remedyFor(error);
  if (!(error instanceof GitError) && known === null) return error;
  const remedy = known ?? 'Mend that';
  return new EnvironmentError(
    'no_isolation',
    `no worktree could be made from ${directory}: ${message}. Its folder and its references are removed; ` +
      `objects that git has stored for it go with git gc. ` +
      `${remedy}, and try again; or work in the folder itself, with --isolate none`,
  );
}
