import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const root = join(import.meta.dirname, '..', '..');

export interface Ran {
  readonly status: number | null;
  /** stdout and stderr, in that order. */
  readonly output: string;
  readonly stdout: string;
}

const Bin = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/** Runs a development tool of this repository in any folder, under the Node that runs this. */
export function runTool(packageName: string, args: readonly string[], folder: string, command = packageName): Ran {
  const home = join(root, 'node_modules', packageName);
  const { bin } = Bin.parse(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')));
  const file = typeof bin === 'string' ? bin : bin[command];
  if (file === undefined) throw new Error(`${packageName} has no command ${command}`);
  return run(process.execPath, [join(home, file), ...args], folder);
}

export function run(
  command: string,
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 300_000,
  });
  if (error) throw new Error(`${command} did not run in ${folder}`, { cause: error });
  return { status, stdout, output: `${stdout}${stderr}` };
}
