import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../repository/tool.ts';
import { project } from '../program.ts';
import { served } from './served.ts';

const FAKE = join(root, 'test/agents/mcp/fake-server.process.ts');
const servers = JSON.stringify({ mcpServers: { fake: { command: process.execPath, args: [FAKE] } } });

test('X10 X11 the question of a server is passed on to the person at the client, and no tool answers it', async () => {
  const elsewhere = await project({ answers: [] }, { 'servers.json': servers });
  const directory = await project({
    answers: [{ calls: [{ tool: 'fake__close', arguments: {} }] }, { text: 'Closed.' }],
  });
  const flags = { loop: 'turn', mcpConfig: join(elsewhere, 'servers.json') };
  const { call, asked } = await served(directory, flags, { how: 'duplicate' });
  const run = String((await call('start_run', { task: 'Close it.' })).data['run']);
  const { data } = await call('run_status', { run, waitSeconds: 45 });
  expect(data).toMatchObject({
    state: 'waiting',
    questions: [{ kind: 'ruling', choices: ['fixed', 'duplicate', 'decline'] }],
  });
  expect((await call('answer', { run, text: 'fixed' })).refused).toMatch(
    /a person's: call ask_person, or .*\n.* answer /,
  );
  expect((await call('ask_person', { run })).data).toEqual({ run, call: '0.0', ruling: 'answered' });
  expect(asked).toEqual([expect.stringContaining('The MCP server fake asks: Close it as what?')]);
  await expect.poll(async () => (await call('run_status', { run })).data['state']).toBe('ended');
  expect(JSON.stringify((await call('run_events', { run })).data)).toContain('closed: accept');
});
