import type { Isolation } from '../../../../machines/settings.ts';
import { keepOrigin, keptOrigin } from '../../../actors/workspace/kept-origin.ts';
import { settingsState } from '../../../actors/workspace/repository-state.ts';
import { placeAt } from '../../../actors/worktree-place.ts';
import { changedRepository } from '../../../evidence/changed-repository.ts';

const MAX_NAMED = 10;

/** Keeps what git goes by in that repository, when a worktree is made from it. */
export async function keepSettings({ top, repository }: Pick<Isolation, 'top' | 'repository'>): Promise<void> {
  const settings = await settingsState(repository);
  await keepOrigin(placeAt(top), { files: null, settings: settings ?? {}, refs: null });
}

/**
 * What git goes by that has changed in the repository of the person since a worktree was made from it, for people.
 * Files, branches and tags are not compared: a run works elsewhere so that a person can change them. Null: nothing has.
 */
export async function repositorySince(run: string, { origin, repository, top }: Isolation): Promise<string | null> {
  const [before, now] = await Promise.all([keptOrigin(placeAt(top)), settingsState(repository)]);
  if (before === null || now === null) return null;
  const { decisive } = changedRepository(before.settings, now, null);
  if (decisive.length === 0) return null;
  const more = decisive.length > MAX_NAMED ? ` and ${decisive.length - MAX_NAMED} more` : '';
  return (
    `${decisive.slice(0, MAX_NAMED).join(', ')}${more} changed in the repository of ${origin} while run ${run} was ` +
    'under way. Git goes by them: if it was not you, undo that before you use git there'
  );
}
