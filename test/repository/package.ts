import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, runTool } from './tool.ts';

export interface PackageCheck {
  readonly ok: boolean;
  readonly report: string;
}

/** Packs a folder as npm would publish it and asks publint and attw whether strangers can import what they get. */
export function checkPackage(folder: string): PackageCheck {
  const shelf = mkdtempSync(join(tmpdir(), 'loopfold-package-'));
  try {
    const packed = run('npm', ['pack', '--pack-destination', shelf], folder);
    const [name] = readdirSync(shelf);
    if (packed.status !== 0 || name === undefined) return { ok: false, report: packed.output };
    const tarball = join(shelf, name);
    const publint = runTool('publint', ['run', tarball, '--strict'], folder);
    // Only ES modules are promised: require() of them is not supported.
    const options = ['--profile', 'esm-only', '--no-definitely-typed', '--no-emoji', '--no-color'];
    const attw = runTool('@arethetypeswrong/cli', [tarball, ...options], folder, 'attw');
    return { ok: publint.status === 0 && attw.status === 0, report: `${publint.output}\n${attw.output}` };
  } finally {
    rmSync(shelf, { recursive: true, force: true });
  }
}
