import { formatOf, objectHash } from './object-hash.ts';
import { git, type GitCall, gitLine, type RepositoryOf } from './process/git.ts';
import { untrue } from './worktree/true-checkout.ts';

const MAX_TEXT_BYTES = 1024 * 1024;

/** Of the texts of one repository, more characters than these are not remembered. */
const MAX_KNOWN_CHARACTERS = 4 * 1024 * 1024;

interface KnownText {
  readonly text: string;
  readonly bytes: number;
}

/** Texts by their hashes, and the characters of all. */
interface KnownTexts {
  readonly texts: Map<string, KnownText>;
  characters: number;
}

/**
 * The texts that were read in a repository of ours, as long as it is used: a proof asks for a manifest ten times, by
 * two processes each.
 */
const known = new WeakMap<RepositoryOf, KnownTexts>();

/** The text of a file. Null: it is too large, or no UTF-8. Throws a `GitError` where it is not what its name says. */
export async function textOf(hash: string, call: GitCall, maxBytes = MAX_TEXT_BYTES): Promise<string | null> {
  const before = call.repository && known.get(call.repository)?.texts.get(hash);
  if (before) return before.bytes > maxBytes ? null : before.text;
  const bytes = Number(await gitLine(['cat-file', '-s', hash], call));
  if (bytes > maxBytes) return null;
  const content = await git(['cat-file', 'blob', hash], call);
  if (objectHash('blob', content, formatOf(hash)) !== hash) throw untrue(hash, 'a file');
  const text = decoded(content);
  if (text !== null && call.repository) remember(hash, { text, bytes }, call.repository);
  return text;
}

function decoded(content: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function remember(hash: string, found: KnownText, repository: RepositoryOf): void {
  const all = known.get(repository) ?? { texts: new Map(), characters: 0 };
  known.set(repository, all);
  if (all.texts.has(hash) || all.characters + found.text.length > MAX_KNOWN_CHARACTERS) return;
  all.texts.set(hash, found);
  all.characters += found.text.length;
}
