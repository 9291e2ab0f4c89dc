import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { folder, loopfold, MODEL, project } from './program.ts';

/** A run whose model fetches a page of this machine twice. Its walls refuse that. */
async function fetching() {
  const server = createServer((_asked, answer) => answer.end('reached')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const command = `echo try >> tries; env -u NO_PROXY -u no_proxy curl -sf -m 5 http://localhost:${port}/`;
  const calls = [{ tool: 'shell', arguments: { command } }];
  const cwd = await project({ answers: [{ calls }, { calls }, { text: 'done' }] });
  const how = { cwd, env: { HOME: await folder({}), LOOPFOLD_SANDBOX: 'try' } };
  const run = (...flags: readonly string[]) =>
    loopfold(['run', ...MODEL, '--loop', 'turn', '--network', 'example.org', ...flags, 'look'], how);
  const outputs = async () => (await loopfold(['events', '--last', '--json'], how)).stdout;
  return { place: `localhost:${port}`, how, run, outputs, close: () => server.close() };
}

test.skipIf(!HAS_WALLS)(
  'X9 a refusal by the walls becomes a question, and a yes opens the place to one call',
  async () => {
    const { place, how, run, outputs, close } = await fetching();
    const asked = await run('--permission-profile', 'edit');
    expect(asked.status).toBe(EXIT.waiting);
    expect(asked.stderr).toContain(`run again, and reach ${place}? The walls refused that.`);
    expect(await outputs()).not.toContain('tool.completed');
    const wrong = await loopfold(['approve', '--last', '0.0', '--digest', 'f'.repeat(64)], how);
    expect(wrong.stderr).toContain('the digest given is not that of');
    const first = await loopfold(['approve', '--last', '0.0'], how);
    expect(first.stderr).toContain(`to run again and reach ${place}, once`);
    expect((await loopfold(['resume', '--last'], how)).status).toBe(EXIT.waiting);
    expect(await outputs()).toContain('"output":"reached"');
    await loopfold(['deny', '--last', '1.0', '--reason', 'once is enough'], how);
    expect((await loopfold(['resume', '--last'], how)).status).toBe(EXIT.success);
    expect(await outputs()).toContain('a person does not open that to this call (denied; once is enough)');
    close();
  },
);

test.skipIf(!HAS_WALLS)('X9 without a person a refusal by the walls is told to the model alone', async () => {
  const { place, run, outputs, close } = await fetching();
  expect((await run('--permission-profile', 'edit', '--no-wait')).status).toBe(EXIT.success);
  expect(await outputs()).toContain(`[walls: from here ${place} cannot be reached;`);
  close();
});
