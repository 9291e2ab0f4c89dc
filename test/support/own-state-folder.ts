import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';

// Test files run beside each other, and many of them work in the folder of this repository: each has a registry of held
// workspaces of its own, and none sees that of the person who runs the tests.
// The last test of the file before may have stood for another TMPDIR, which is gone.
vi.unstubAllEnvs();

const folder = mkdtempSync(join(tmpdir(), 'loopfold-state-'));
process.env['XDG_STATE_HOME'] = folder;

afterAll(() => rmSync(folder, { recursive: true, force: true }));
