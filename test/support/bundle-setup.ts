import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundledInto } from './bundle.ts';
import { setup as setUpScratch } from './scratch-setup.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the program and the processes of the tests, built from their sources as they are. */
    readonly bundle: string;
  }
}

/** Builds what tests start as processes, once for all of them. */
export async function setup({ provide, config }: TestProject): Promise<() => void> {
  // Vitest sets up projects before the whole, and the folders of programs belong into memory most of all: each commit
  // of a log on a disk waits for it.
  setUpScratch();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopfold-tests-')));
  const remove = (): void => {
    for (const made of globSync(`${folder}*`)) rmSync(made, { recursive: true, force: true, maxRetries: 3 });
  };
  // Also where the run is cut off, and nothing is torn down.
  process.once('exit', remove);
  await bundledInto(folder);
  provide('bundle', folder);
  // Nothing of the home of the person who runs the tests: not there in the first place, and empty.
  config.env['HOME'] = join(folder, 'home');
  mkdirSync(config.env['HOME']);
  return remove;
}
