import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { absent } from '../../support/absent.ts';
import { processesWith } from '../../support/processes-with.ts';
import { takesAll, tenthOf } from '../../support/tenth.ts';
import { MAIN, project } from '../program.ts';

const SERVER = join(import.meta.dirname, '../../agents/mcp/fake-server.process.ts');
const KILLS = 50;
/** From its start until its server is at work. */
const LATEST_MS = 4_000;
const MOMENTS = Array.from({ length: KILLS }, (_, index) => (LATEST_MS * (index + 1)) / KILLS);

test('X10 wherever a kill meets the program, it leaves no server behind', async () => {
  const word = absent('server');
  const cwd = await project(
    { answers: [{ calls: [{ tool: 'fake__wait', arguments: {} }] }, { text: 'done' }] },
    {},
    false,
  );
  const fake = { command: process.execPath, args: [SERVER, word] };
  await writeFile(join(cwd, 'servers.json'), JSON.stringify({ mcpServers: { fake } }));
  const flags = ['--loop', 'turn', '--mcp-config', 'servers.json', '--trust', '-m', 'script:model.json'];
  let seen = 0;
  for (const afterMs of tenthOf(MOMENTS)) {
    const child = spawn(process.execPath, [MAIN, 'run', 'x', ...flags], { cwd, stdio: 'ignore' });
    await delay(afterMs);
    seen += processesWith(word).length > 0 ? 1 : 0;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await expect.poll(() => processesWith(word), { timeout: 10_000 }).toEqual([]);
  if (takesAll) expect(seen).toBeGreaterThan(0);
});
