import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

/** A path for a store in a folder of its own, removed when the tests of the file are done. */
export function temporaryStore(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-log-'));
  folders.push(folder);
  return join(folder, 'log.db');
}

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
