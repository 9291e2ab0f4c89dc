import { quoted } from '../text/shell-words.ts';
import { pathWord } from './lack-text.ts';
import { isMade } from './never-given.ts';
import { nameOf } from './workspace-paths.ts';

// A checkout has what git would keep. A check that needs more fails there alone, after a model was paid for work that
// passes in the folder. What is known to be lacking before that is named with what gives it.

/**
 * Why a checkout lacks something. `ignored`: git ignores it, or it looks secret. `submodule`: it is not initialised.
 * `pointer`: Git LFS has not fetched it. `repository`: it has no commit. `uncommitted`: a repository within has
 * changes. `large`: git does not track it, and it is over the limit of a capture.
 */
export type LackKind = 'ignored' | 'submodule' | 'pointer' | 'repository' | 'uncommitted' | 'large';

/** Something that the folder has, or should have, and that no checkout has. */
export interface Lack {
  /** From the top of the worktree. */
  readonly path: string;
  readonly kind: LackKind;
  /** The file or the check that names it. Null: none has to. */
  readonly by: string | null;
}

/** A check or a file of grounds, with its text. */
export interface NamingText {
  readonly name: string;
  readonly text: string;
}

/** A shorter name stands in texts for something else. */
const MIN_NAME_CHARACTERS = 4;
/** More lines than this help no reader. */
const MAX_LACKS = 20;

/** Of paths that no checkout has, those that these texts name. A folder is a path with a slash at its end. */
export function namedLacks(paths: readonly string[], texts: readonly NamingText[]): readonly Lack[] {
  return paths.flatMap((path) => {
    const isNamed = naming(path);
    const by = texts.find(({ text }) => isNamed.test(text))?.name;
    return by === undefined ? [] : [{ path: path.replace(/\/$/, ''), kind: 'ignored' as const, by }];
  });
}

/** A file by its path or its name, a folder as the beginning of a path, or in quotation marks. */
function naming(path: string): RegExp {
  if (path.endsWith('/')) {
    const folder = escaped(path.slice(0, -1));
    return new RegExp(`(?<![\\w.-])${folder}/|(["'\`])(?:\\./)?${folder}\\1`);
  }
  const name = nameOf(path);
  const isTelling = name.length >= MIN_NAME_CHARACTERS && name.includes('.');
  const names = [path, ...(isTelling ? [name] : [])].map(escaped);
  return path.includes('/') || isTelling
    ? new RegExp(`(?<![\\w.-])(?:${names.join('|')})(?![\\w-])`)
    : new RegExp(`(["'\`])(?:\\./)?${names[0]}\\1`);
}

/** Tells whether the options of a run give its checkouts something: by its path, or by a build. */
export const givenBy =
  (provide: readonly string[], prepare: readonly string[]) =>
  ({ path, kind }: Lack): boolean =>
    provide.some((given) => path === given.replace(/\/+$/, '') || path.startsWith(`${given.replace(/\/+$/, '')}/`)) ||
    (kind === 'ignored' && isMade(path) && prepare.length > 0);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The lines for people, each with what gives a checkout the path. `build`: the command that builds. Null: unknown. */
export function lackLines(lacks: readonly Lack[], build: string | null): readonly string[] {
  const lines = lacks.slice(0, MAX_LACKS).map((lack) => `${lack.path} ${reasonOf(lack)}: ${cureOf(lack, build)}`);
  return lacks.length > MAX_LACKS ? [...lines, `and ${lacks.length - MAX_LACKS} more`] : lines;
}

function reasonOf({ path, kind, by }: Lack): string {
  switch (kind) {
    case 'ignored':
      return `is ${isMade(path) ? 'made by a build' : 'in no capture'}, and ${by} names it`;
    case 'submodule':
      return 'is a submodule that is not initialised';
    case 'pointer':
      return 'is a pointer of Git LFS, without its content';
    case 'repository':
      return 'is a repository without a commit';
    case 'large':
      return 'is too large to be captured, and git does not track it';
    case 'uncommitted':
      return 'is a repository of which a checkout has the files of its commit';
  }
}

/** What gives a checkout the path: a flag where one does. */
function cureOf({ path, kind }: Lack, build: string | null): string {
  switch (kind) {
    case 'ignored':
      if (!isMade(path)) return `--provide ${pathWord(path)}`;
      return build === null ? '--prepare with the command that builds it' : `--prepare ${quoted(build)}`;
    case 'submodule':
      return `git submodule update --init ${pathWord(path)}`;
    case 'pointer':
      return `git lfs pull --include ${pathWord(path)}`;
    case 'repository':
      return `--provide ${pathWord(path)}, or commit in it`;
    case 'large':
      return `git add ${pathWord(path)}, a larger --capture-limit, or let git ignore it`;
    case 'uncommitted':
      return 'commit in it what the checks need';
  }
}

/** The same for programs. */
export const curedLacks = (lacks: readonly Lack[], build: string | null) =>
  lacks.map((lack) => ({ ...lack, cure: cureOf(lack, build) }));
