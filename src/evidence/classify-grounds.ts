import { CONVENTIONS, type ConventionReason } from './ground-patterns.ts';
import { isKeyed } from './key-grounds.ts';
import { fitsAny, fitsGlob } from './path-globs.ts';

/** Why a file is a ground: what its checks rest on. */
export type GroundReason = ConventionReason | 'protect' | 'check' | 'named' | 'keys';

export interface Ground {
  readonly reason: GroundReason;
  /** The glob, the check or the configuration file that names it. Null: a convention. */
  readonly by: string | null;
}

/** What decides about a file, the strongest first; conventions stand between `unprotect` and `checks`. */
export interface GroundRules {
  /** Globs of files that are grounds whatever else is said. */
  readonly protect: readonly string[];
  /** Globs of files that are no grounds. */
  readonly unprotect: readonly string[];
  /** The check that names a file. */
  readonly checks: ReadonlyMap<string, string>;
  /** The configuration file that names a file. */
  readonly configuration: ReadonlyMap<string, string>;
}

export interface Classified {
  readonly grounds: ReadonlyMap<string, Ground>;
  /** Files that `unprotect` alone keeps from being grounds. */
  readonly released: readonly string[];
}

const conventions = CONVENTIONS.map(({ reason, globs }) => ({ reason, fits: fitsAny(globs) }));

/** A proof asks for all paths of two trees, which are mostly the same, at its start and after each attempt. */
const MAX_REMEMBERED = 200_000;
const remembered = new Map<string, ConventionReason | null>();

function conventionOf(path: string): ConventionReason | null {
  const before = remembered.get(path);
  if (before !== undefined) return before;
  const found = conventions.find(({ fits }) => fits(path))?.reason ?? null;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(path, found);
  return found;
}

/**
 * The grounds among the files of a workspace, each with its reason. Of a file with the reason `keys` only some keys are
 * grounds.
 *
 * @example
 * const rules = { protect: ['checks'], unprotect: [], checks: new Map(), configuration: new Map() };
 * groundsAmong(['checks/a.mjs', 'src/a.mjs'], rules).grounds.size; // 1
 */
export function groundsAmong(paths: Iterable<string>, rules: GroundRules): Classified {
  const protectedBy = firstGlob(rules.protect);
  const releasedBy = firstGlob(rules.unprotect);
  const grounds = new Map<string, Ground>();
  const released: string[] = [];
  for (const path of paths) {
    const glob = protectedBy(path);
    const ground = glob === null ? unaskedGround(path, rules) : { reason: 'protect' as const, by: glob };
    if (ground === null) continue;
    if (ground.reason !== 'protect' && releasedBy(path) !== null) released.push(path);
    else grounds.set(path, ground);
  }
  return { grounds, released };
}

/** The globs among these that fit no path: a typing error, or files that are still to come. */
export const unmatched = (globs: readonly string[], paths: readonly string[]): readonly string[] =>
  globs.filter((glob) => !paths.some(fitsGlob(glob)));

function unaskedGround(path: string, { checks, configuration }: GroundRules): Ground | null {
  const convention = conventionOf(path);
  if (convention !== null) return { reason: convention, by: null };
  if (isKeyed(path)) return { reason: 'keys', by: null };
  const check = checks.get(path);
  if (check !== undefined) return { reason: 'check', by: check };
  const file = configuration.get(path);
  return file === undefined ? null : { reason: 'named', by: file };
}

function firstGlob(globs: readonly string[]): (path: string) => string | null {
  const matchers = globs.map((glob) => ({ glob, fits: fitsGlob(glob) }));
  return (path) => matchers.find(({ fits }) => fits(path))?.glob ?? null;
}
