import type { ChangedRepository } from '../../../evidence/repository-change.ts';

/** The code of a warning: what changed around an experiment while it ran. It may have been a person. */
export const ORIGIN_CHANGED = 'origin_changed';
/** The code of one that refuses the experiment, too. */
export const REPOSITORY_CHANGED = 'repository_changed';

export const isOfOrigin = (code: string): boolean => code === ORIGIN_CHANGED || code === REPOSITORY_CHANGED;

/** What changed around an experiment while it ran. */
export interface ChangedOrigin extends ChangedRepository {
  /** The folder of the person. */
  readonly origin: string;
  /** The candidate whose experiment ran. */
  readonly candidate: string;
  /** Files of that folder, by path. Null: they could not be compared. */
  readonly files: readonly string[] | null;
  /** Whether what was recorded of the experiment names that folder, or leads up to it. */
  readonly isNamed: boolean;
}

/** What is to be said of it. */
export interface OriginRemark {
  readonly code: typeof ORIGIN_CHANGED | typeof REPOSITORY_CHANGED;
  readonly message: string;
}

const MAX_NAMED = 10;

/**
 * What is told of changes around an experiment. Files, branches and tags are changed by a person at work, too: they are
 * named. What git goes by refuses the experiment, and so does a branch that moved where its commands name the folder.
 */
export function originRemarks(changed: ChangedOrigin): readonly OriginRemark[] {
  const { origin, candidate, files, decisive, ordinary, isNamed } = changed;
  const when = `changed while the experiment ${candidate} was under way`;
  const refused = [...decisive, ...(isNamed ? ordinary : [])];
  const named = [...(files ?? []), ...(isNamed ? [] : ordinary)];
  const why = decisive.length > 0 ? 'git goes by them' : 'what was recorded of it names that folder';
  return [
    ...(refused.length === 0
      ? []
      : [
          {
            code: REPOSITORY_CHANGED,
            message:
              `${listed(refused)} ${when}, in the repository of ${origin}: ${why}, so it is not kept. ` +
              'If it was not you, undo that before you use git there',
          } as const,
        ]),
    ...(named.length === 0
      ? []
      : [
          {
            code: ORIGIN_CHANGED,
            message:
              `${listed(named)} ${when}, in ${origin}. It works in another folder, which no wall is around: if it was ` +
              'not you, look at them',
          } as const,
        ]),
  ];
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${first} and ${names.length - MAX_NAMED} more` : first;
}

/** Up from the worktree of an experiment, `.loopfold/worktrees/ID`, to the folder that it lies in. */
const LEADS_UP = /(?:^|[^\w.])(?:\.\.\/){2}\.\.(?![\w.])/;

/**
 * Whether a text names one of these folders, other than as a part of the path of a worktree of a run.
 *
 * @example
 * namesFolder('git -C /srv/shop log', ['/srv/shop']); // true
 * namesFolder('ls /srv/shop/.loopfold/worktrees/1', ['/srv/shop']); // false
 */
export function namesFolder(text: string, folders: readonly string[]): boolean {
  return LEADS_UP.test(text) || folders.some((folder) => hasFolder(text, folder));
}

function hasFolder(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, at + 1)) {
    const rest = text.slice(at + folder.length);
    if (!/^(\/\.loopfold\/worktrees\/|[\w-])/.test(rest)) return true;
  }
  return false;
}
