import { relative, sep } from 'node:path';
import { boundedRead, type FileText } from '../../config/read-within.ts';
import { isLoopPath } from '../../config/loop-path.ts';
import type { Trusted } from '../../config/trust-rules.ts';
import { type LoopModule, loopModule, moduleIn } from '../../app/start/loop-module.ts';
import type { RecordedModule } from '../../app/records/modules-of-record.ts';
import { shippedLoops } from '../../loops/index.ts';
import { plain } from '../../projections/phrases.ts';
import { type LoopDefinition, newestOf } from '../../kernel/loop-definition.ts';
import { Complaint } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { shortId } from './find-run.ts';
import { type Asking, trustIn, trustNamed } from '../terminal/ask-trust.ts';

type Loaded = Extract<LoopModule, { kind: 'loops' }>;

const MAX_MODULE_BYTES = 1_000_000;
const REASON = 'it is code, and a run of this log was started with it';

/**
 * The loops of a module that the user has named. Naming it trusts it as it is now: its runs are resumed without a
 * question until it changes. Throws a `Complaint` if it exports no loop.
 */
export async function namedLoop(path: string, workspace: string, { userFolder, isTrusted }: Asking): Promise<Loaded> {
  const loaded = await loopModule(path, relativeTo(workspace, path));
  if (loaded.kind === 'failed') throw new Complaint(EXIT.usage, `loop (--loop): ${plain(path)} ${loaded.why}`);
  const read = isTrusted ? null : await boundedRead(path, MAX_MODULE_BYTES);
  if (read?.kind === 'text') await trustNamed({ ...read, path }, userFolder);
  return loaded;
}

/** Throws a `Complaint` if the requested loop is the name of a folder that contains a loop's module. */
export async function assertNoFolder(asked: string): Promise<void> {
  if (isLoopPath(asked) || newestOf(asked, shippedLoops)) return;
  const meant = await moduleIn(asked);
  if (meant !== null)
    throw new Complaint(
      EXIT.usage,
      `loop: ${plain(asked)} is a folder, and no loop that ships. Did you mean ${plain(meant)}?`,
    );
}

/** Runs record it with slashes on every platform. */
const relativeTo = (workspace: string, path: string): string => relative(workspace, path).split(sep).join('/');

/** What to do when a loop cannot be loaded: some verbs need it, others do less without it. */
export type Otherwise = 'refuse' | 'warn' | 'ignore';

/** The loops that recorded runs were started with. */
export async function recordedLoops(
  modules: readonly RecordedModule[],
  otherwise: Otherwise,
  asking: Asking,
): Promise<readonly LoopDefinition[]> {
  const loops: LoopDefinition[] = [];
  for (const recorded of modules) {
    const found = await recordedLoop(recorded, asking);
    if (found instanceof Complaint) {
      if (otherwise === 'refuse') throw found;
      if (otherwise === 'warn') asking.streams.err.line(`warning: ${found.message}`);
      continue;
    }
    loops.push(...found.loops.filter(({ id }) => !loops.some((known) => known.id === id)));
  }
  return loops;
}

async function recordedLoop(recorded: RecordedModule, asking: Asking): Promise<Loaded | Complaint> {
  const { file, path, machine } = recorded;
  const read = await boundedRead(file, MAX_MODULE_BYTES);
  if (read.kind === 'text') {
    const distrust = await distrustOf({ ...read, path: file }, asking);
    if (distrust) return distrust;
  }
  const loaded = await loopModule(file, path);
  if (loaded.kind === 'failed')
    return loaded.isMissing
      ? unavailable(recorded, `${loaded.why.replace(/[^?]$/, '$&.')}${putBack(machine)}`, EXIT.environment)
      : unavailable(recorded, loaded.why, EXIT.usage);
  const ids = loaded.loops.map(({ id }) => id);
  return ids.some((id) => id === machine)
    ? loaded
    : unavailable(recorded, `exports ${ids.join(', ')}, and no ${machine}`, EXIT.usage);
}

async function distrustOf(file: Trusted & Pick<FileText, 'isOthers'>, asking: Asking): Promise<Complaint | null> {
  if ((await trustIn(file, file.isOthers ? 'others can change it' : REASON, asking)) === 'read') return null;
  const why = `${file.path} is not trusted: ${REASON}. Read it, then use it this once with --trust`;
  return new Complaint(EXIT.usage, `${why}, or say yes on a terminal once and for all.`);
}

const putBack = (machine: string): string =>
  ` Put it back, or write a module there that exports ${machine} from where it is now.`;

const unavailable = ({ run, machine, file }: RecordedModule, why: string, status: number): Complaint =>
  new Complaint(status, `run ${shortId(run)} is folded by ${machine}, and its module ${plain(file)} ${why}`, [
    'events',
    shortId(run),
  ]);
