// What git says of files that it cannot add is for people who call git. Here it is for those who have a run.

/** More are counted. */
const MAX_NAMED = 5;

const EMPTY_REPOSITORY = /^error: '(.*)\/' does not have a commit checked out$/;
const UNREADABLE_FILE = /^error: open\("(.*)"\): (.*)$/;
const UNREADABLE_FOLDER = /^warning: could not open directory '(.*)': (.*)$/;
/** What it says beside the reason, and of repositories whose commit it has added. */
const BESIDE = /^(hint:|warning: adding embedded git repository: |error: unable to index file )/;

/** What a capture leaves out, and what to do, in a few sentences; what git says otherwise follows in its own words. */
export function unreadText(said: string): string {
  const [repositories, unreadable, others] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const line of said.split('\n')) {
    const repository = EMPTY_REPOSITORY.exec(line)?.[1];
    const [, path, reason] = UNREADABLE_FILE.exec(line) ?? UNREADABLE_FOLDER.exec(line) ?? [];
    if (repository !== undefined) repositories.add(`${repository}/`);
    else if (path !== undefined) unreadable.add(`${path} (${reason})`);
    else if (line !== '' && !BESIDE.test(line)) others.add(line);
  }
  return [
    ...withoutCommit([...repositories]),
    ...(unreadable.size === 0
      ? []
      : [`Git cannot read, and leaves out: ${named([...unreadable])}. Make that readable, or let git ignore it.`]),
    ...others,
  ].join(' ');
}

function withoutCommit(repositories: readonly string[]): readonly string[] {
  if (repositories.length === 0) return [];
  const [have, are, them] = repositories.length === 1 ? ['has', 'is', 'it'] : ['have', 'are', 'them'];
  return [
    `${named(repositories)} ${have} no commit, and ${are} left out. Commit in ${them}, or let git ignore ${them}.`,
  ];
}

const named = (names: readonly string[]): string => {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
};
