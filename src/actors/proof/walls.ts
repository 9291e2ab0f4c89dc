import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../subprocess.ts';
import type { Elsewhere } from '../elsewhere.ts';
import { isNotRun } from '../../evidence/cannot-run.ts';
import { hiddenPrograms } from './hide-programs.ts';
import { type WallPlan, walledCommand } from './walls-script.ts';
import { touchedIn } from './files-of-command.ts';

/** What a shell looks in without one. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
const PROBE_TIMEOUT_MS = 20_000;
const MAX_PROBE_BYTES = 1_024;

/** Variables that every check of a proof has. Bytecode that lies beside the sources of Python is not believed. */
export const PROOF_ENVIRONMENT: Readonly<Record<string, string>> = {
  TMPDIR: '/tmp',
  PYTHONPYCACHEPREFIX: '/tmp/pycache',
};

/** Where programs are found behind walls. */
export const walledPath = ({ node }: Pick<WallPlan, 'node'>): string =>
  `${process.env['PATH'] ?? DEFAULT_PATH}:${node}`;

export interface Layers {
  /** Where what is written goes, by its path from the top of the workspace. */
  readonly upper: string;
  /** Which of these files were written to. */
  readonly touched: (paths: ReadonlySet<string>) => Promise<readonly string[]>;
}

/** Makes the folders that a leg is mounted over. What its checks write goes there, and is thrown away. */
export async function makeLayers({ proof, layers }: Pick<WallPlan, 'proof' | 'layers'>): Promise<Layers> {
  const upper = join(proof, layers, 'tree/upper');
  await mkdir(upper, { recursive: true });
  await mkdir(join(proof, layers, 'tree/work'), { recursive: true });
  await mkdir(join(proof, 'stage'), { recursive: true });
  return { upper, touched: (paths) => touchedIn(upper, paths) };
}

/**
 * Runs commands where only the checkout can be seen: at the workspace's own path, without network unless they ask for
 * it or all do, the rest of the machine read-only, the home empty but for tools. Whatever a command leaves running ends
 * with it. The output of one that did not find a program ends with where that lies, if it is hidden there.
 */
export function behindWalls(plan: WallPlan, haveNetwork = false): Elsewhere['run'] {
  return async ({ network = haveNetwork, ...request }) => {
    const environment = { PATH: walledPath(plan), ...request.environment, ...PROOF_ENVIRONMENT };
    const command = walledCommand(plan, request.command, network);
    const result = await runCommand({ ...request, command, directory: plan.proof, environment });
    if (result.kind !== 'exited' || !isNotRun(result.exitCode)) return result;
    const said = await hiddenPrograms(plan, environment.PATH, request.command, result.output);
    return said.length === 0 ? result : { ...result, output: [result.output.trimEnd(), ...said].join('\n') };
  };
}

const MAX_STANDING = 100;
/** What this process has built walls around. */
const standing = new Set<string>();
const siteOf = ({ proof: _, layers: __, ...site }: WallPlan): string => JSON.stringify(site);

/** Whether this process has built such walls before. Where that changes, checks fail; they never run without. */
export const haveStood = (plan: WallPlan): boolean => standing.has(siteOf(plan));

/** Why no walls can be built here. Null: they can. */
export async function wallObstacle(plan: WallPlan, signal: AbortSignal): Promise<string | null> {
  if (process.platform !== 'linux') return `${process.platform} has no namespaces of Linux`;
  const limits = { timeoutMs: PROBE_TIMEOUT_MS, maxOutputBytes: MAX_PROBE_BYTES, signal };
  const result = await behindWalls(plan)({ run: null, command: 'true', directory: plan.proof, ...limits });
  if (result.kind === 'not_started') return result.message;
  if (result.kind !== 'exited') return `building them did not end within ${PROBE_TIMEOUT_MS} ms`;
  if (result.exitCode === 0) {
    if (standing.size >= MAX_STANDING) standing.clear();
    standing.add(siteOf(plan));
  }
  return result.exitCode === 0 ? null : result.output.trim().split('\n')[0] || `exit status ${result.exitCode}`;
}
