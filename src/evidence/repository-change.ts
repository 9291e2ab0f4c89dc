/** What changed of a repository. */
export interface ChangedRepository {
  /** What git runs or goes by: hooks, configuration, attributes, replaced objects, branches of the loop's own. */
  readonly decisive: readonly string[];
  /** What a person at work changes, too: branches, tags, the stash, what is checked out. */
  readonly ordinary: readonly string[];
}

const ORDINARY = /^(HEAD$|refs\/(?!replace\/))/;

/**
 * Compares two states of a repository: hashes by name. `own`: the beginning of names that only the loop itself changes.
 * Null: it has none.
 *
 * @example
 * changedRepository({}, { 'hooks/pre-push': 'ab12' }, null); // { decisive: ['hooks/pre-push'], ordinary: [] }
 */
export function changedRepository(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  own: string | null,
): ChangedRepository {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => before[name] !== after[name]).toSorted();
  const isOrdinary = (name: string) => ORDINARY.test(name) && !(own !== null && name.startsWith(own));
  return {
    decisive: changed.filter((name) => !isOrdinary(name)),
    ordinary: changed.filter(isOrdinary),
  };
}
