import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import type { Log } from '../../src/log/log.ts';
import { root } from '../repository/tool.ts';

/** The log of `loopfold demo`, whose runs have iterations, checks, a change and a proof. */
export interface DemoLog {
  readonly log: Log;
  /** Its run that ends in success. */
  readonly success: string;
  readonly close: () => Promise<void>;
}

/** Runs the demo: some seconds. */
export async function demoLog(): Promise<DemoLog> {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-shown-'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TMPDIR: folder, LOOPFOLD_SANDBOX: 'off' };
  await promisify(execFile)(process.execPath, [join(root, 'src/cli/main.ts'), 'demo'], { cwd: folder, env });
  const [path = ''] = globSync(join(folder, 'loopfold-demo-*', 'split-bill', '.loopfold', 'log.db'));
  const log = openSqliteLog(path);
  const success = (await log.runs()).find(({ parentEffect, closed }) => parentEffect === null && closed === 'success');
  if (!success) throw new Error('no run of the demo has ended in success');
  const close = async () => {
    await log.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { log, success: success.run, close };
}
