import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { folder, loopfold, MODEL, project } from './program.ts';
import { testInTurn } from '../support/in-turn.ts';

const KEY = 'sk-proj-of-the-person';
const LOOKS = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep OPENAI_API_KEY | rev
echo x > "$HOME/.bashrc"; ls -A`;

/** A run whose model starts one command, in a home of its own. */
async function ran(...flags: readonly string[]) {
  const answers = [{ calls: [{ tool: 'shell', arguments: { command: LOOKS } }] }, { text: 'done' }];
  const cwd = await folder({ 'model.json': JSON.stringify({ answers }) });
  const home = await folder({});
  await writeFile(join(home, '.bashrc'), 'of the person\n');
  const env = { HOME: home, OPENAI_API_KEY: KEY };
  const words = ['run', '-m', 'script:model.json', '--loop', 'turn', ...flags, 'look'];
  const ended = await loopfold(words, { cwd, env });
  const events = await loopfold(['events', '--last', '--json'], { cwd, env });
  const shown = await loopfold(['show', '--last'], { cwd, env });
  return { ended, events: events.stdout, shown: shown.stdout, home };
}

const REVERSED = [...KEY].toReversed().join('');

describe.skipIf(!HAS_WALLS)('given a run whose agent has a shell', () => {
  test('B1 behind walls a command finds no key of the person, and the page says which walls there were', async () => {
    const { ended, events, shown } = await ran('--sandbox', 'required');
    expect(ended.status).toBe(EXIT.success);
    expect(events).not.toContain(REVERSED);
    expect(events).toContain('model.json');
    expect(shown).toMatch(/^ {2}walls +around the commands of the agent; network: none$/m);
  });
});

test('B2 without walls a command finds no key in the environment of any process of ours', async () => {
  const { ended, events, shown } = await ran('--sandbox', 'off');
  expect(ended.status).toBe(EXIT.success);
  expect(events).not.toContain(REVERSED);
  expect(shown).toMatch(/^ {2}walls +none around the commands of the agent/m);
});

test('B2 without walls nor a variable whose name says nothing, where settings name it', async () => {
  const command = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep ${KEY.slice(0, 12)} | rev`;
  const answers = [{ calls: [{ tool: 'shell', arguments: { command } }] }, { text: 'done' }];
  const own = { wire: 'openai', baseUrl: 'http://127.0.0.1:9/v1', apiKeyVariable: 'COMPANY_MODELS' };
  const cwd = await folder({
    'model.json': JSON.stringify({ answers }),
    'loopfold.config.json': JSON.stringify({ providers: { company: own } }),
  });
  const env = { HOME: cwd, COMPANY_MODELS: KEY };
  const words = ['run', '-m', 'script:model.json', '--loop', 'turn', '--sandbox', 'off', '--trust', 'look'];
  expect((await loopfold(words, { cwd, env })).status).toBe(EXIT.success);
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd, env });
  expect(stdout).toContain('tool.completed');
  expect(stdout).not.toContain(REVERSED);
});

testInTurn('B2 a verb that starts no command knows the key of its environment', async () => {
  const cwd = await folder({});
  const [without, keyed] = await Promise.all(
    [{}, { OPENAI_API_KEY: KEY }].map((more) => loopfold(['config', '--models'], { cwd, env: { HOME: cwd, ...more } })),
  );
  expect(without?.stdout).toContain('OPENAI_API_KEY');
  expect(keyed?.stdout).not.toContain('OPENAI_API_KEY');
  expect(keyed?.stdout).toContain('openai');
});

const INSTALLS = `curl -sS -m 5 http://example.org/ 2>&1; echo x > .git/hooks/pre-commit; echo y > .envrc`;

test.skipIf(!HAS_WALLS)(
  'B1 B6 without a flag walls stand, a refusal is told, and what other programs obey',
  async () => {
    const calls = [{ tool: 'shell', arguments: { command: INSTALLS } }];
    const cwd = await project({ answers: [{ calls }, { text: 'done' }] }, { 'package.json': '{}' });
    const env = { HOME: await folder({}), LOOPFOLD_SANDBOX: 'try' };
    const ended = await loopfold(['run', ...MODEL, '--loop', 'turn', 'look'], { cwd, env });
    expect(ended.stderr).toContain('changed what later runs or other programs go by: .envrc (other programs obey it)');
    const { stdout } = await loopfold(['events', '--last', '--json'], { cwd, env });
    expect(stdout).toContain('[walls: from here example.org:80 cannot be reached, and .git/hooks cannot be written;');
  },
);

test.skipIf(!HAS_WALLS)(
  'B1 a person opens what walls refused, bound to the call, and the command goes through',
  async () => {
    const server = createServer((_asked, answer) => answer.end('reached')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const outside = await folder({});
    const command = `echo x > ${outside}/made; echo x > /etc/made; curl -s -m 5 http://127.0.0.1:${port}/`;
    const wanted = (opens: string, place: string) => ({
      tool: 'request_command_access',
      arguments: { opens, place, reason: 'the task needs it' },
    });
    const calls = [{ tool: 'shell', arguments: { command } }];
    const cwd = await project({
      answers: [
        { calls },
        { calls: [wanted('write', outside), wanted('network', `loopback:${port}`)] },
        { calls },
        { text: 'done' },
      ],
    });
    const how = { cwd, env: { HOME: await folder({}), LOOPFOLD_SANDBOX: 'try' } };
    const asked = await loopfold(['run', ...MODEL, '--loop', 'turn', 'look'], how);
    expect(asked.status).toBe(EXIT.waiting);
    expect(asked.stderr).toContain(`permission for its commands to reach loopback:${port}: the task needs it`);
    expect(await readdir(outside)).toEqual([]);
    const first = await loopfold(['approve', '--last', '1.0'], how);
    expect(first.stderr).toContain(`has the permission: its commands to write ${outside} and everything below it`);
    await loopfold(['approve', '--last', '1.1'], how);
    expect((await loopfold(['resume', '--last'], how)).status).toBe(EXIT.success);
    expect(await readdir(outside)).toEqual(['made']);
    const { stdout } = await loopfold(['events', '--last', '--json'], how);
    expect(stdout).toContain(`cannot be written; \`request_command_access\` asks the user for it`);
    expect(stdout).toMatch(/\\nreached\\n/);
    server.close();
  },
);

test('B1 a path to open that is not there is refused before a run begins', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] });
  const words = ['run', ...MODEL, '--loop', 'turn', '--sandbox', 'try', '--sandbox-write', './gone', 'look'];
  const { status, stderr } = await loopfold(words, { cwd });
  expect(status).toBe(EXIT.environment);
  expect(stderr).toContain('--sandbox-write ./gone is not there. Make it first: mkdir -p ');
});

test('B1 a limit of the network without walls is said to be none', async () => {
  const cwd = await folder({ 'model.json': JSON.stringify({ answers: [{ text: 'done' }] }) });
  const words = ['run', ...MODEL, '--loop', 'turn', '--network', 'none', 'look'];
  const { stderr } = await loopfold(words, { cwd, env: { HOME: cwd } });
  expect(stderr).toContain("network and sandboxWrite are not used: they need sandbox 'required' or 'try'.");
});

testInTurn('B1 where walls are required and cannot stand, no run begins', async () => {
  const cwd = await folder({ 'model.json': JSON.stringify({ answers: [{ text: 'done' }] }) });
  const bin = await folder({});
  const words = ['run', '-m', 'script:model.json', '--loop', 'turn', '--sandbox', 'required', 'look'];
  const { status, stderr } = await loopfold(words, { cwd, env: { HOME: cwd, PATH: bin } });
  expect(status).toBe(EXIT.environment);
  expect(stderr).toContain('Walls around the commands of the agent cannot stand here');
});
