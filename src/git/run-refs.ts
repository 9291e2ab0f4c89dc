import { jsonIn } from '../text/json-in.ts';
import { askGit, git, type GitCall, gitLine } from './process/git.ts';
import { z } from 'zod';
import { thisProcess } from '../log/holder.ts';
import { addressOf } from '../log/log-files.ts';

// What git keeps of a run, under refs/loopfold/RUN/: trees, and with them every file in them.
//   0        the workspace as the run found it
//   1, 2, …  the captures that the run's own facts name
//   end      the workspace as the run left it, when it ended, paused or waited
//   head     the commit that was checked out when it began; missing in a repository without one
//   uncaptured  files that it wrote into repositories within the workspace, which are in no other capture
//   settings  hooks, configuration and attributes of git when it began, and when it ended
//   rules    what git ignored when it began, which decides what its captures leave out
//   left-out  paths that the capture of its end leaves out, and why
//   brought  the record of the last `apply` or `undo`
//   grounds  the tree that its checks go by, where earlier runs changed grounds that no person approved
//   log      which log has the run
//   request  the newest commit for which a pull request was asked for

/** Which capture of a run: a number, or the workspace as the run left it. */
export type CapturePlace = number | 'end';

const OTHERS = ['head', 'brought', 'uncaptured', 'rules', 'left-out', 'grounds', 'log', 'request', 'settings'] as const;

/** The last part of a ref of a run. */
type RefName = CapturePlace | (typeof OTHERS)[number];

/** The ref under which git keeps one thing of a run. */
export const runRef = (run: string, name: RefName): string => `refs/loopfold/${run}/${name}`;

/** The number of the capture that a ref keeps. Null: it keeps something else. */
export function captureNumberOf(ref: string): number | null {
  const number = /\/(\d+)$/.exec(ref)?.[1];
  return number === undefined ? null : Number(number);
}

/** Hashes by the last part of their refs, such as `0` and `end`. Empty where git keeps nothing of the run. */
export const runRefs = (run: string, call: GitCall): Promise<ReadonlyMap<string, string>> =>
  refsBelow(`refs/loopfold/${run}/`, call);

/** Hashes by what follows `prefix` in the names of their refs. */
export async function refsBelow(prefix: string, call: GitCall): Promise<ReadonlyMap<string, string>> {
  const listed = await git(['for-each-ref', '--format=%(objectname) %(refname)', prefix], call);
  const lines = new TextDecoder().decode(listed).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [hash = '', ref = ''] = line.split(' ');
      return ref.startsWith(prefix) ? [[ref.slice(prefix.length), hash] as const] : [];
    }),
  );
}

/** Keeps the commit that a run starts from: without a name, the one that is checked out, if there is one. */
export async function keepHead(run: string, call: GitCall, commit?: string): Promise<void> {
  const head = commit ?? (await headOf(call));
  if (head !== null) await git(['update-ref', runRef(run, 'head'), head], call);
}

/** Keeps a tree as what a run found when it began. */
export async function keepStart(run: string, hash: string, call: GitCall): Promise<void> {
  await git(['update-ref', runRef(run, 0), hash], call);
}

/** Keeps a tree as what the checks of a run go by. */
export async function keepGrounds(run: string, hash: string, call: GitCall): Promise<void> {
  await git(['update-ref', runRef(run, 'grounds'), hash], call);
}

/** The trees that git keeps of the start and of the end of a run. */
export interface StartAndEnd {
  readonly start: string | null;
  readonly end: string | null;
  /** It was brought into the workspace, by `apply`. */
  readonly isBrought: boolean;
}

/** The trees of the start and of the end of these runs, by run: `0` and `end`. */
export async function startsAndEnds(runs: readonly string[], call: GitCall): Promise<ReadonlyMap<string, StartAndEnd>> {
  const asked = runs.flatMap((run) => [runRef(run, 0), runRef(run, 'end'), runRef(run, 'brought')]);
  if (asked.length === 0) return new Map();
  const listed = new TextDecoder().decode(
    await git(['for-each-ref', '--format=%(objectname) %(refname)', ...asked], call),
  );
  const hashes = new Map(listed.split('\n').map((line) => line.split(' ').toReversed() as [string, string]));
  return new Map(
    runs.flatMap((run) => {
      const [start = null, end = null] = [hashes.get(runRef(run, 0)), hashes.get(runRef(run, 'end'))];
      const isBrought = hashes.has(runRef(run, 'brought'));
      return start === null && end === null ? [] : [[run, { start, end, isBrought }] as const];
    }),
  );
}

/** Keeps for a run what git keeps of another one under these names. Where it keeps nothing, nothing is changed. */
export async function inheritRefs(from: string, to: string, names: readonly RefName[], call: GitCall): Promise<void> {
  const known = await runRefs(from, call);
  const lines = names.flatMap((name) => {
    const hash = known.get(String(name));
    return hash === undefined ? [] : [`update ${runRef(to, name)} ${hash}\n`];
  });
  if (lines.length > 0) await git(['update-ref', '--stdin'], { ...call, input: Buffer.from(lines.join('')) });
}

/** Forgets how a run left the workspace, and returns what it forgot: the hash of a tree. Null: there was none. */
export async function forgetEnd(run: string, call: GitCall): Promise<string | null> {
  const end = (await runRefs(run, call)).get('end') ?? null;
  if (end !== null) await git(['update-ref', '-d', runRef(run, 'end'), end], call);
  return end;
}

/** Keeps again what was forgotten, unless the run has been captured since. */
export async function rememberEnd(run: string, end: string, call: GitCall): Promise<void> {
  await git(['update-ref', runRef(run, 'end'), end, '0'.repeat(end.length)], call);
}

async function headOf(call: GitCall): Promise<string | null> {
  const input = new TextEncoder().encode('HEAD\n');
  const said = new TextDecoder().decode(
    await git(['cat-file', '--batch-check=%(objecttype) %(objectname)'], { ...call, input }),
  );
  return /^commit ([\da-f]+)$/m.exec(said)?.[1] ?? null;
}

/** Keeps a value as JSON under a ref of a run. */
export async function keepJson(run: string, name: RefName, value: unknown, call: GitCall): Promise<void> {
  const input = new TextEncoder().encode(JSON.stringify(value));
  const blob = await gitLine(['hash-object', '-w', '--stdin'], { ...call, input });
  await git(['update-ref', runRef(run, name), blob], call);
}

/** What is kept as JSON under a ref of a run; undefined where there is none. */
export const keptJson = (run: string, name: RefName, call: GitCall): Promise<unknown> =>
  jsonUnder(runRef(run, name), call);

async function jsonUnder(ref: string, call: GitCall): Promise<unknown> {
  const { exitCode, stdout } = await askGit(['cat-file', 'blob', ref], call);
  return exitCode === 0 ? jsonIn(new TextDecoder().decode(stdout)) : undefined;
}

/** The same of several runs, by run: each is one line. Without those of which none is kept. */
export async function keptJsons(
  runs: readonly string[],
  name: RefName,
  call: GitCall,
): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  if (runs.length === 0) return found;
  const input = new TextEncoder().encode(runs.map((run) => `${runRef(run, name)}\n`).join(''));
  const said = new TextDecoder().decode(await git(['cat-file', '--batch'], { ...call, input })).split('\n');
  for (const run of runs) {
    // A line for what is missing; else one before the content.
    if (said.shift()?.endsWith(' missing')) continue;
    found.set(run, jsonIn(said.shift() ?? ''));
  }
  return found;
}

/** Which log has a run, kept beside its captures: several logs may have runs of one repository. */
const RunLog = z.strictObject({
  /** The path of a file, or another address, such as that of a log in memory. */
  store: z.string(),
  /** When this was written: as the run began, or as it left its workspace the last time. */
  at: z.iso.datetime(),
  /** The process that wrote it: a log in memory is gone with it. */
  by: z.strictObject({ host: z.string(), pid: z.int(), processStart: z.string(), token: z.string() }),
});
export type RunLog = z.infer<typeof RunLog>;

/** Keeps beside the captures of a run which log has it. */
export async function keepRunLog(run: string, store: string, call: GitCall): Promise<void> {
  const record: RunLog = { store: addressOf({ store }), at: new Date().toISOString(), by: thisProcess() };
  await keepJson(run, 'log', record, call);
}

/** When the record under a ref was written that says which log has a run. Null: there is none. */
export async function loggedAt(ref: string, call: GitCall): Promise<number | null> {
  const { data } = RunLog.safeParse(await jsonUnder(ref, call));
  return data ? Date.parse(data.at) : null;
}

/** The logs of runs, by run. Without those of which none is kept, or that cannot be read. */
export async function runLogs(runs: readonly string[], call: GitCall): Promise<ReadonlyMap<string, RunLog>> {
  const kept = await keptJsons(runs, 'log', call);
  return new Map(
    [...kept].flatMap(([run, value]) => {
      const record = RunLog.safeParse(value);
      return record.success ? [[run, record.data] as const] : [];
    }),
  );
}
