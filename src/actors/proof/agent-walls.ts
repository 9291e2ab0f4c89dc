import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EnvironmentFault } from '../../log/environment-fault.ts';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { guardGroup } from '../group-guard.ts';
import { type CommandRequest, type CommandResult, runCommand } from '../subprocess.ts';
import { removeTrees } from './proof-folder.ts';
import { wayOut } from './way-out.ts';
import { type AttemptPlan, enteringCommand, holdingCommand, STANDING } from './agent-walls-script.ts';

type Entered = Pick<CommandRequest, 'command' | 'shell' | 'directory' | 'environment'>;

/** A command for a shell outside of the walls, and the variables that it needs. */
export interface WalledCommand {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Walls around the commands of an attempt. They stand until they are ended, or this process is. */
export interface AttemptWalls {
  readonly run: (request: CommandRequest) => Promise<CommandResult>;
  /** Returns a command that does the same behind them. */
  readonly enter: (request: Entered) => WalledCommand;
  /** Returns the places of the network that were refused since the last time, such as `example.org:443`. */
  readonly refused: () => readonly string[];
  /** Ends whatever runs behind them, and removes what was written to none but their own places. */
  readonly end: () => Promise<void>;
}

/** The reason why walls do not stand. */
export interface WallsMissing {
  readonly missing: string;
}

const STANDING_TIMEOUT_MS = 20_000;
const MAX_SAID_CHARS = 2_000;

/** Builds walls. The system says why it does not let them stand. */
export async function standWalls(plan: Omit<AttemptPlan, 'scratch'>): Promise<AttemptWalls | WallsMissing> {
  if (process.platform !== 'linux') return { missing: `${process.platform} has no namespaces of Linux` };
  const scratch = await makeTemporaryFolder('walls').catch(missingBecause);
  if (typeof scratch !== 'string') return scratch;
  await Promise.all(['stage', 'layers', 'home'].map((name) => mkdir(join(scratch, name))));
  await Promise.all(Object.entries(plan.homeFiles).map(([path, text]) => placeFile(join(scratch, 'home', path), text)));
  const held = await holding({ ...plan, scratch });
  if ('missing' in held) {
    await removeTrees([scratch]);
    return held;
  }
  const way = await wayOut(held.holder, plan.network);
  if ('missing' in way) {
    await held.end();
    await removeTrees([scratch]);
    return way;
  }
  const entrance = {
    holder: held.holder,
    network: plan.network,
    limits: plan.limits,
    user: process.getuid?.() ?? 0,
    group: process.getgid?.() ?? 0,
  };
  const enter = ({ environment, ...entered }: Entered): WalledCommand => ({
    command: enteringCommand(entrance, entered),
    environment: { ...plan.environment, ...way.environment, ...environment, TMPDIR: '/tmp' },
  });
  return {
    enter,
    run: ({ shell, ...request }) => runCommand({ ...request, ...enter({ ...request, shell }) }),
    refused: way.refused,
    end: async () => {
      way.close();
      await held.end();
      await removeTrees([scratch]);
    },
  };
}

async function placeFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Walls need a folder of their own. */
function missingBecause(error: unknown): WallsMissing {
  if (error instanceof EnvironmentFault) return { missing: error.message };
  throw error;
}

interface Held {
  readonly holder: number;
  readonly end: () => Promise<void>;
}

/** Starts the process that builds walls and holds them. It ends with its input, also where this process is killed. */
async function holding(plan: AttemptPlan): Promise<Held | WallsMissing> {
  const child = spawn('/bin/sh', ['-c', holdingCommand(plan)], {
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) return { missing: 'no process can be started' };
  const release = guardGroup(pid);
  child.stdin.on('error', () => {});
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.ref();
      child.stdin.destroy();
      child.kill('SIGKILL');
      await ended;
    }
    release();
  };
  const said = await saidBy(child);
  const holder = said === `${STANDING}\n` ? await childOf(pid) : null;
  if (holder !== null) {
    for (const stream of [child, child.stdin, child.stdout, child.stderr]) unref(stream);
    return { holder, end };
  }
  await end();
  return { missing: said.trim().split('\n')[0] || 'the walls did not stand' };
}

const unref = (stream: object): void => {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
};

/** Returns what it says first: that the walls stand, or why they do not. */
async function saidBy(child: ChildProcess): Promise<string> {
  let said = '';
  const heard = new Promise<void>((resolve) => {
    setTimeout(resolve, STANDING_TIMEOUT_MS).unref();
    const hear = (text: Buffer) => {
      said += text.toString();
      if (said.includes('\n') || said.length > MAX_SAID_CHARS) resolve();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', resolve).once('error', resolve);
  });
  await heard;
  return said.slice(0, MAX_SAID_CHARS);
}

/** The process that another one has forked. Null: it has none. */
async function childOf(pid: number): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const child = Number(children.trim().split(' ')[0]);
  return Number.isInteger(child) && child > 0 ? child : null;
}
