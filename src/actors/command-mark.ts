import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';

// A process that starts a session of its own leaves its process group, and its parent may end before it. It keeps the
// environment that it was started with, so a variable there tells which command has started it. Only a process that is
// given another environment on purpose (`env -i`) is not recognised.

/** The variable that marks the processes of a command. */
export const MARK_VARIABLE = 'LOOPFOLD_COMMAND';
const TOKEN_BYTES = 16;

/** In the mark of every command of this process. */
export const PROCESS_TOKEN = randomBytes(TOKEN_BYTES).toString('hex');

let recognises: boolean | undefined;

/**
 * Tells whether the environment of a process can be read here. It is looked for when it is asked for: a process that
 * may read nothing but its own sources judges runs, too.
 */
export const recognisesProcesses = (): boolean => (recognises ??= existsSync('/proc/self/environ'));

let commands = 0;

/** A mark for one more command, of this run or of none. */
export function newMark(run: string | null): string {
  commands += 1;
  return `${PROCESS_TOKEN}.${commands}${run === null ? '' : `@${run}`};`;
}

/** The runs whose commands a process belongs to, by the value of its variable: the outermost first. */
export const markedRuns = (value: string): readonly string[] =>
  [...value.matchAll(/@([^@;]+);/g)].map(([, run = '']) => run);

/** The variable with a mark. Where this process is itself part of a command, the mark of that one stays in it. */
export const marking = (mark: string): Readonly<Record<string, string>> => ({
  [MARK_VARIABLE]: `${process.env[MARK_VARIABLE] ?? ''}${mark}`,
});

/** The processes that carry a mark. Empty where processes are not recognised. */
export const markedProcesses = (mark: string): Promise<number[]> =>
  processesWith((environment) => environment.includes(mark));

/** The processes whose environment is of some kind, but for this one. Empty where processes are not recognised. */
export async function processesWith(isOf: (environment: string) => boolean | Promise<boolean>): Promise<number[]> {
  if (!recognisesProcesses()) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map(async (pid) => ((await isOf(await environmentOf(pid))) ? [+pid] : [])));
  return found.flat();
}

/** The runs whose commands a process belongs to, by its whole environment. */
export const runsOf = (environment: string): readonly string[] =>
  markedRuns(environment.split('\0').find((entry) => entry.startsWith(`${MARK_VARIABLE}=`)) ?? '');

/** Of a process that is gone, or of another user: empty. */
const environmentOf = (pid: string): Promise<string> => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
