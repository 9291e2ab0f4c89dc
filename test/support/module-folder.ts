import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder outside of any project with these modules, gone after the test. */
export async function moduleFolder(modules: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-modules-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, code] of Object.entries(modules)) await writeFile(join(folder, name), code);
  return folder;
}
