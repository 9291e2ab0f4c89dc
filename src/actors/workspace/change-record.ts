import { z } from 'zod';
import { askGit, git, type GitCall, gitLine } from './git.ts';
import { runRef } from './run-refs.ts';

/**
 * What the last `apply` or `undo` of a run did, kept as a commit under the run's refs: its tree is what the workspace
 * was to have afterwards, and its parent's tree is the workspace before.
 */
const ChangeRecord = z.strictObject({
  verb: z.enum(['apply', 'undo']),
  /** `begun`: its process was killed, unless it is still at it. */
  state: z.enum(['begun', 'done']),
  at: z.string(),
  /** The trees that the change leads from and to. */
  from: z.string(),
  to: z.string(),
  /** Names (latin1) that could not be brought. */
  kept: z.array(z.string()),
});
export type ChangeRecord = z.infer<typeof ChangeRecord>;

/** A record with the tree of the workspace afterwards. */
export type KnownRecord = ChangeRecord & { readonly tree: string };

const IDENTITY = 'loopfold <loopfold@localhost> 0 +0000';

/** The record of a run; null where nothing was applied or undone yet. */
export async function readRecord(run: string, call: GitCall): Promise<KnownRecord | null> {
  const { exitCode, stdout } = await askGit(['cat-file', 'commit', runRef(run, 'brought')], call);
  if (exitCode !== 0) return null;
  const text = new TextDecoder().decode(stdout);
  const [, tree] = /^tree ([\da-f]+)$/m.exec(text) ?? [];
  const record = ChangeRecord.safeParse(jsonIn(text.slice(text.indexOf('\n\n') + 2)));
  return tree !== undefined && record.success ? { ...record.data, tree } : null;
}

/** Keeps a record. `before` and `after` are trees of the workspace. */
export async function keepRecord(
  run: string,
  record: ChangeRecord,
  { before, after }: { readonly before: string; readonly after: string },
  call: GitCall,
): Promise<void> {
  const parent = await commitOf(before, null, `The workspace before ${record.verb} of run ${run}\n`, call);
  const commit = await commitOf(after, parent, `${JSON.stringify(record)}\n`, call);
  await git(['update-ref', runRef(run, 'brought'), commit], call);
}

/** Made without git's own commit, which asks for a name and may sign. */
function commitOf(tree: string, parent: string | null, message: string, call: GitCall): Promise<string> {
  const header = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${IDENTITY}`,
    `committer ${IDENTITY}`,
  ];
  const input = new TextEncoder().encode(`${header.join('\n')}\n\n${message}`);
  return gitLine(['hash-object', '-t', 'commit', '-w', '--stdin'], { ...call, input });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
