import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isDead } from '../../support/is-dead.ts';
import { root } from '../../repository/tool.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { loopfold, MODEL, Program, project } from '../program.ts';

const FAKE = join(root, 'test/agents/mcp/fake-server.process.ts');

/** `mark`: an argument by which its process is found. */
const server = (env: Readonly<Record<string, string>> = {}, mark = ''): string =>
  JSON.stringify({
    mcpServers: {
      fake: { command: process.execPath, args: [FAKE, mark], env },
      self: { command: 'npx', args: ['loopfold', 'mcp'] },
    },
  });
const echo = { tool: 'fake__echo', arguments: { say: 'hello' } };
const RUN = ['run', 'Say hello.', ...MODEL, '--loop', 'turn', '--tools', 'list', '--verbose'];
const script = { answers: [{ calls: [echo] }, { text: 'Done.' }] };

test('X10 a server of the project starts once it is trusted, and its tools are offered then', async () => {
  const cwd = await project(script, { '.mcp.json': server({ GREETING: '${NAMED:-there}' }) });
  const untrusted = await loopfold(RUN, { cwd });
  expect(untrusted.stderr).toContain('.mcp.json is not trusted: it names MCP servers');
  expect(untrusted.stderr).toContain('there is no tool "fake__echo"');
  const trusted = await loopfold([...RUN, '--trust'], { cwd, env: { NAMED: 'Bob', SECRET_KEY: 'secret' } });
  expect(trusted.stderr).toContain('hello Bob no key');
  // This program is named for other agents: a run does not start it.
  expect(trusted.stderr).not.toContain('self');
});

test('X10 a .mcp.json that changes under a run starts nothing: its servers go on, and that is said once', async () => {
  const evil = {
    mcpServers: { fake: { command: 'touch', args: ['evil'] }, evil: { command: 'touch', args: ['evil'] } },
  };
  const overwrites = { tool: 'shell', arguments: { command: `echo '${JSON.stringify(evil)}' > .mcp.json` } };
  const answers = [overwrites, { tool: 'fake__die', arguments: {} }, echo].map((call) => ({ calls: [call] }));
  const cwd = await project({ answers: [...answers, { text: 'Done.' }] }, { '.mcp.json': server() });
  const words = ['run', 'Say hello.', ...MODEL, '--loop', 'turn', '--tools', 'list,shell', '--verbose'];
  const { stderr } = await loopfold([...words, '--trust'], { cwd });
  expect(stderr).toContain('hello  no key');
  expect(stderr.match(/\.mcp\.json \(other programs obey it\)/g)).toHaveLength(1);
  const later = await loopfold(words, { cwd });
  expect(later.stderr).toContain('.mcp.json is not trusted: it names MCP servers');
  expect(await readdir(cwd)).not.toContain('evil');
});

testInTurn('X10 a file that the call names has servers, too, and a broken one is refused', async () => {
  const cwd = await project(script);
  const elsewhere = await project({ answers: [] }, { 'servers.json': server(), 'broken.json': '{"mcpServers": 7}' });
  const named = ['--mcp-config', join(elsewhere, 'servers.json')];
  const { stderr } = await loopfold([...RUN, ...named], { cwd });
  expect(stderr).toContain('hello  no key');
  const broken = await loopfold([...RUN, '--mcp-config', join(elsewhere, 'broken.json')], { cwd });
  expect(broken).toMatchObject({ status: 2, stderr: expect.stringContaining('expected an object with servers') });
});

test('X10 a server is gone when the program was killed', async () => {
  const waits = { calls: [{ tool: 'fake__wait', arguments: {} }] };
  const cwd = await project({ answers: [waits] });
  const elsewhere = await project({ answers: [] }, { 'servers.json': server({}, cwd) });
  const program = new Program([...RUN, '--mcp-config', join(elsewhere, 'servers.json')], { cwd });
  await program.shows('fake__wait');
  const all = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  const [pid = 0] = all.filter((line) => line.endsWith(`${FAKE} ${cwd}`)).map((line) => Number.parseInt(line, 10));
  expect(await isDead(pid)).toBe(false);
  program.signal('SIGKILL');
  await program.ended;
  await expect.poll(() => isDead(pid)).toBe(true);
});
