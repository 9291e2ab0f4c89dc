/** Git's and our own records are not the work: a loop that rewrites them could no longer be checked. */
const RESERVED = new Set(['.git', '.loopfold']);
/** The configuration decides what counts as done, which is not the agent's to write. */
const CONFIGURATION = /^loopfold\.config\.[^.]+$/;
/** What NTFS calls them where names are short. */
const SHORT_NAME = /^(git|loopfo)~\d+(\.\w+)?$/;

/** Whether some file system may take this name for `.git`, `.loopfold` or a configuration file, however it is spelt. */
export function isReserved(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    // HFS+ does not see invisible characters; NTFS reads neither a stream's name nor dots and spaces at the end.
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toUpperCase()
    .toLowerCase();
  return RESERVED.has(plain) || CONFIGURATION.test(plain) || SHORT_NAME.test(plain);
}

/** A loop's state, which people edit: its agent may not, and a shell that does is noticed. */
const STATE_FILE = ['.claude', 'ralph-loop.local.md'];

/** Whether a path from the workspace, in its names, leads to the state file of a loop, however it is spelt. */
export function isStateFile(names: readonly string[]): boolean {
  const last = names.slice(-STATE_FILE.length).map((name) => name.normalize('NFKC').toLowerCase());
  return STATE_FILE.every((name, index) => last[index] === name);
}
