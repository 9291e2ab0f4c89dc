import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunOptions } from '../../../../src/config/options.ts';
import type { LiveRun } from '../../../../src/hosts/local/live-runs.ts';
import type { LoopsOptions } from '../../../../src/hosts/local/loops-options.ts';
import type { ToolContext } from '../../../../src/actors/tools/tool.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { Log } from '../../../../src/log/log.ts';
import { factsOf, office } from '../office.ts';
import { tool } from '../../../support/stand-ins.ts';

/** Loops whose model calls `work` once and is done. */
export function working(
  work: (context: ToolContext) => Promise<string>,
  options: Partial<LoopsOptions> = {},
): ReturnType<typeof office> & { readonly isolated: (root: string, more?: Partial<RunOptions>) => Promise<LiveRun> } {
  const one = tool('work', async (_input, context) => ({ output: await work(context) }));
  const harness = office({ answers: [{ calls: [{ tool: 'work' }] }, { text: 'done' }] }, { tools: [one], ...options });
  const isolated = (root: string, more: Partial<RunOptions> = {}) =>
    harness.start({ directory: root, isolate: 'worktree', ...more });
  return { ...harness, isolated };
}

export async function settingsOf(log: Log, run: string): Promise<RunSettings> {
  const [started] = await factsOf(log, run, 'run.started');
  if (!started) throw new Error(`${run} has not started`);
  return started.payload.settings;
}

export const textIn = (folder: string, path: string): Promise<string> => readFile(join(folder, path), 'utf8');
