import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../../src/git/bring/bring-plan.ts';
import { WorkspaceError, writeSteps } from '../../src/git/bring/write-steps.ts';
import { RUN } from './captured.ts';
import { temporaryFolder } from './repository.ts';

const LONG = 'n'.repeat(250);
/** A system takes paths up to 4,095 bytes: with this one, the short folder is below that, the long one is above. */
const DEEP = Array.from({ length: 15 }, () => LONG).join('/');

const added = (name: string): Step => ({
  path: name,
  name,
  now: null,
  next: { mode: '100644', hash: '0'.repeat(40) },
  isMerged: false,
});

test.skipIf(process.platform !== 'linux')(
  'B5 a file whose content is copied and that then fails leaves no draft',
  async () => {
    const staged = await temporaryFolder();
    const root = join(await temporaryFolder(), LONG);
    await mkdir(root);
    const last = `${DEEP}/${LONG}`;
    await mkdir(join(staged, DEEP), { recursive: true });
    for (const name of ['first', last]) await writeFile(join(staged, name), 'content\n');
    const writing = { root, staged, run: RUN, signatures: new Map() };
    const written = writeSteps([added('first'), added(last)], writing);
    await expect(written).rejects.toThrow(WorkspaceError);
    await expect(written).rejects.toMatchObject({ code: 'nothing_written', cause: { syscall: 'lstat' } });
    expect(await readdir(root)).toEqual([]);
  },
);
