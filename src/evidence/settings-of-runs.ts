type State = Readonly<Record<string, string>>;

/** What git went by when an earlier run began, and when it ended. */
export interface SettingsOfRun {
  readonly run: string;
  readonly before: State;
  /** Null: it has not ended, or was killed. */
  readonly after: State | null;
}

/** What a run changed of what git goes by, and that is still so. */
export interface LeftSettings {
  readonly run: string;
  readonly names: readonly string[];
}

/**
 * What earlier runs changed of hooks, configuration and attributes of git, and that is as they left it: by the newest
 * that did. `runs`: newest first. `isApproved`: a person has let it count.
 *
 * @example
 * leftSettings([{ run: '1', before: {}, after: { hook: 'ab' } }], { hook: 'ab' }, () => false); // its hook
 */
export function leftSettings(
  runs: readonly SettingsOfRun[],
  now: State,
  isApproved: (name: string, hash: string | null) => boolean,
): readonly LeftSettings[] {
  const known = new Set<string>();
  return runs.flatMap(({ run, before, after }) => {
    const left = after ?? now;
    const changed = [...new Set([...Object.keys(before), ...Object.keys(left)])]
      .filter((name) => before[name] !== left[name] && !known.has(name))
      .toSorted();
    for (const name of changed) known.add(name);
    const names = changed.filter((name) => left[name] === now[name] && !isApproved(name, left[name] ?? null));
    return names.length === 0 ? [] : [{ run, names }];
  });
}
