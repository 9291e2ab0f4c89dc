import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOptions } from '../../../../src/config/options.ts';
import type { LiveRun } from '../../../../src/app/running/live-runs.ts';
import type { LoopsOptions } from '../../../../src/hosts/local/loops-options.ts';
import type { ToolContext } from '../../../../src/actors/tools/tool.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { Log } from '../../../../src/log/log.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { factsOf, office } from '../office.ts';
import { stopped, tool } from '../../../support/stand-ins.ts';

/** What lies in the folder of worktrees. */
export const worktreesOf = (root: string): Promise<readonly string[]> =>
  readdir(join(root, '.loopfold/worktrees')).catch(() => []);

/** Loops whose model calls `work` once and is done. */
export function working(
  work: (context: ToolContext) => Promise<string>,
  options: Partial<LoopsOptions> = {},
): ReturnType<typeof office> & { readonly isolated: (root: string, more?: Partial<RunOptions>) => Promise<LiveRun> } {
  const one = tool('work', async (_input, context) => ({ output: await work(context) }));
  const harness = office(
    { answers: [{ calls: [{ tool: 'work' }] }, { text: 'done' }, { text: 'done' }] },
    { tools: [one], ...options },
  );
  const isolated = (root: string, more: Partial<RunOptions> = {}) =>
    harness.start({ directory: root, isolate: 'worktree', ...more });
  return { ...harness, isolated };
}

/** A run that was left paused while its tool was working. */
export async function leftPaused(root: string, { more = {}, work = async () => {}, ...options }: Leaving = {}) {
  const [begun, isAgain] = [Promise.withResolvers<void>(), { value: false }];
  const harness = working(async (context) => {
    if (isAgain.value) return 'done';
    isAgain.value = true;
    await work(context);
    begun.resolve();
    await stopped(context);
    return '';
  }, options);
  const live = await harness.isolated(root, more);
  await begun.promise;
  await live.pause('user');
  await live.done;
  return { ...harness, live };
}

interface Leaving extends Partial<LoopsOptions> {
  readonly more?: Partial<RunOptions>;
  readonly work?: (context: ToolContext) => Promise<void>;
}

export async function settingsOf(log: Log, run: string): Promise<RunSettings> {
  const [started] = await factsOf(log, run, 'run.started');
  if (!started) throw new Error(`${run} has not started`);
  return started.payload.settings;
}

export const textIn = (folder: string, path: string): Promise<string> => readFile(join(folder, path), 'utf8');

/** Puts a new log in the place of one. */
export async function emptied(path: string): Promise<void> {
  await rm(path);
  await rm(`${path}.heads`, { recursive: true });
  await openSqliteLog(path).close();
}
