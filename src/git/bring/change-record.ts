import { z } from 'zod';
import { jsonIn } from '../../text/json-in.ts';
import { git, type GitCall, gitLine } from '../process/git.ts';
import { runRef } from '../run-refs.ts';

/**
 * What the last `apply` or `undo` of a run did, kept as a commit under the run's refs: its tree is what the workspace
 * was to have afterwards, its first parent's tree is the workspace before, and its second parent is the record before
 * it. So everything that was ever replaced can be reached.
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

/** A record with the tree of the workspace afterwards, and its commit with the commits before it. */
export type KnownRecord = ChangeRecord & {
  readonly tree: string;
  readonly commit: string;
  readonly parents: readonly string[];
};

const IDENTITY = 'loopfold <loopfold@localhost> 0 +0000';

/** The record of a run; null where nothing was applied or undone yet. */
export async function readRecord(run: string, call: GitCall): Promise<KnownRecord | null> {
  return recordAt(runRef(run, 'brought'), call);
}

/** The records of `apply` up to the one given, newest first: each brought what was added since the one before. */
export async function appliedParts(record: KnownRecord, call: GitCall): Promise<readonly KnownRecord[]> {
  const parts: KnownRecord[] = [];
  for (let part: KnownRecord | null = record; part?.verb === 'apply';) {
    parts.push(part);
    const [, earlier]: readonly string[] = part.parents;
    part = earlier === undefined ? null : await recordAt(earlier, call);
  }
  return parts;
}

async function recordAt(name: string, call: GitCall): Promise<KnownRecord | null> {
  const input = new TextEncoder().encode(`${name}\n`);
  const said = new TextDecoder().decode(await git(['cat-file', '--batch'], { ...call, input }));
  const [, commit] = /^([\da-f]+) commit /.exec(said) ?? [];
  const [head = '', ...message] = said.split('\n\n');
  const [, tree] = /^tree ([\da-f]+)$/m.exec(head) ?? [];
  const record = ChangeRecord.safeParse(jsonIn(message.join('\n\n')));
  if (commit === undefined || tree === undefined || !record.success) return null;
  const parents = [...head.matchAll(/^parent ([\da-f]+)$/gm)].flatMap(([, parent]) => parent ?? []);
  return { ...record.data, tree, commit, parents };
}

/**
 * Keeps a record on top of the one before it. `before` and `after` are trees of the workspace. What finishes a begun
 * record keeps its first parent, so that half of a change never counts as the workspace before it.
 */
export async function keepRecord(
  run: string,
  record: ChangeRecord,
  { before, after }: { readonly before: string; readonly after: string },
  call: GitCall,
): Promise<void> {
  const present = await commitOf(before, [], `The workspace before ${record.verb} of run ${run}\n`, call);
  const last = await readRecord(run, call);
  const first = (last && isBegun(last, record) ? last.parents[0] : undefined) ?? present;
  const parents = new Set([first, ...(last ? [last.commit] : []), present]);
  const commit = await commitOf(after, [...parents], `${JSON.stringify(record)}\n`, call);
  await git(['update-ref', runRef(run, 'brought'), commit], call);
}

/** Whether a record was begun by the same call, or by one like it whose process was killed. */
export const isBegun = (last: ChangeRecord, { verb, from, to }: Pick<ChangeRecord, 'verb' | 'from' | 'to'>): boolean =>
  last.state === 'begun' && last.verb === verb && last.from === from && last.to === to;

/** Made without git's own commit, which asks for a name and may sign. */
function commitOf(tree: string, parents: readonly string[], message: string, call: GitCall): Promise<string> {
  const header = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${IDENTITY}`,
    `committer ${IDENTITY}`,
  ];
  const input = new TextEncoder().encode(`${header.join('\n')}\n\n${message}`);
  return gitLine(['hash-object', '-t', 'commit', '-w', '--stdin'], { ...call, input });
}
