import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { HAS_WALLS } from '../hosts/local/proof/proof-project.ts';
import { folder, loopfold, project } from './program.ts';

const KEY = 'sk-ant-of-the-person';
const TOKEN = 'oauth-token-of-the-person';

/** A program in the place of Claude Code: it writes what it finds into the workspace. */
const CLAUDE = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const at = (...path) => join(process.env.HOME, ...path);
const read = (path) => {
  try { return readFileSync(path, 'utf8'); } catch (error) { return error.code; }
};
const ask = (address, init) => fetch(address, init).then(({ status }) => status, () => 'unreached');
const { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: key = 'none' } = process.env;
const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, messages: [] });
(async () => {
  const paid = base ? await ask(base + '/v1/messages', { method: 'POST', headers: { 'x-api-key': key }, body }) : null;
  const elsewhere = await ask('http://127.0.0.1:' + read('elsewhere').trim());
  try { writeFileSync(at('.claude', 'settings.json'), '{}'); } catch {}
  const login = read(at('.claude', '.credentials.json'));
  try { writeFileSync(at('.claude', '.credentials.json'), login + '-renewed'); } catch {}
  const kept = at('.claude', 'projects', 'session');
  const before = read(kept);
  try { writeFileSync(kept, String(Number(before) + 1 || 1)); } catch {}
  const seen = { before, paid, elsewhere, key, login, ssh: read(at('.ssh', 'id')), words: process.argv.slice(2) };
  writeFileSync('seen.json', JSON.stringify(seen));
  const usage = { input_tokens: 1, output_tokens: 1 };
  console.log(JSON.stringify({ type: 'result', subtype: 'success', result: 'done', usage }));
})();
`;

const Seen = z.object({
  paid: z.number().nullable(),
  elsewhere: z.union([z.number(), z.string()]),
  key: z.string(),
  login: z.string(),
  ssh: z.string(),
  words: z.array(z.string()),
  /** What an attempt before has left among its sessions. */
  before: z.string(),
});

/** A server on loopback, and the keys that have reached it. */
async function server() {
  const keys: unknown[] = [];
  const listening = createServer((request, answer) => {
    keys.push(request.headers['x-api-key']);
    request
      .resume()
      .on('end', () =>
        answer
          .setHeader('content-type', 'application/json')
          .end('{"type":"message","usage":{"input_tokens":1000,"output_tokens":10}}'),
      );
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => void listening.close().closeAllConnections());
  return { port: (listening.address() as AddressInfo).port, keys };
}

async function place(path: string, text: string, mode = 0o600): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
}

/** A run of that agent, in a home with a login and a key for other machines. */
async function ran(withKey: boolean, ...flags: readonly string[]) {
  return ranChecked(withKey, 'test -f seen.json', ...flags);
}

/** The same with that check. */
async function ranChecked(withKey: boolean, check: string, ...flags: readonly string[]) {
  const [provider, elsewhere] = await Promise.all([server(), server()]);
  const home = await folder({});
  await place(join(home, 'tools/bin/claude'), CLAUDE, 0o755);
  await place(join(home, '.claude/.credentials.json'), TOKEN);
  await place(join(home, '.ssh/id'), 'private');
  const cwd = await project({ answers: [] }, { elsewhere: String(elsewhere.port) });
  const env = {
    HOME: home,
    XDG_STATE_HOME: '',
    PATH: `${join(home, 'tools/bin')}:${process.env['PATH']}`,
    LOOPFOLD_SANDBOX: 'required',
    ...(withKey ? { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: `http://127.0.0.1:${provider.port}` } : {}),
  };
  const words = ['run', '--agent', 'claude', '--verify', check, '--accept', 'weak', ...flags, 'look'];
  const ended = await loopfold(words, { cwd, env });
  const { stdout: events } = await loopfold(['events', '--last', '--json'], { cwd, env });
  const attempts = [...events.matchAll(/"child":"([^"]+)"/g)].map(([, run = '']) => run);
  const listed = await Promise.all(attempts.map((run) => loopfold(['events', run, '--json'], { cwd, env })));
  const text = await readFile(join(cwd, 'seen.json'), 'utf8').catch(() => null);
  const told = [events, ...listed.map(({ stdout }) => stdout)].join('\n');
  return { provider, elsewhere, home, ended, events: told, seen: text === null ? null : Seen.parse(JSON.parse(text)) };
}

describe.skipIf(!HAS_WALLS)('given an agent of others, and walls that can stand', () => {
  test('X8 with a key it has a stand-in for it, no login, no other file of the home, and the meter alone', async () => {
    const { provider, elsewhere, ended, events, seen } = await ran(true);
    expect(ended.status).toBe(0);
    expect(seen).toMatchObject({ paid: 200, elsewhere: 'unreached', login: 'ENOENT', ssh: 'ENOENT' });
    expect(seen?.key).toMatch(/^sk-metered-/);
    expect(seen?.words).toContain('bypassPermissions');
    expect([provider.keys, elsewhere.keys]).toEqual([[KEY], []]);
    expect(events).toContain('model.completed');
    for (const secret of [KEY, TOKEN]) expect(events).not.toContain(secret);
  });

  test('X5 its sessions are kept for the next attempt, and removed when the run has ended', async () => {
    const { ended, seen, home } = await ranChecked(
      true,
      `node -e 'process.exit(require("./seen.json").before === "1" ? 0 : 1)'`,
    );
    expect([ended.status, seen?.before]).toEqual([0, '1']);
    expect(await readdir(join(home, '.local/state/loopfold/agent-sessions'))).toEqual([]);
  });

  test('X8 without a key it has the login of the person, may renew it, and no other file of the home', async () => {
    const { home, seen, events } = await ran(false);
    expect(seen).toMatchObject({ paid: null, key: 'none', login: TOKEN, ssh: 'ENOENT', elsewhere: 'unreached' });
    expect(await readFile(join(home, '.claude/.credentials.json'), 'utf8')).toBe(`${TOKEN}-renewed`);
    await expect(readFile(join(home, '.claude/settings.json'))).rejects.toThrow('ENOENT');
    expect(events).toContain('model.completed');
    expect(events).not.toContain(TOKEN);
  });
});

test.skipIf(!HAS_WALLS)(
  'X8 a command of its own finds the script that it names in the home, and nothing beside it',
  async () => {
    const home = await folder({});
    await place(join(home, 'own/agent.sh'), 'cat > /dev/null; ls -A "$HOME" "$HOME/own" > seen.txt');
    await place(join(home, 'own/secret'), 'private');
    const cwd = await project({ answers: [] });
    const agent = `cmd:sh ${join(home, 'own/agent.sh')}`;
    const words = [
      'run',
      '--agent',
      agent,
      '--verify',
      'test -f seen.txt',
      '--accept',
      'weak',
      '--sandbox',
      'required',
      'look',
    ];
    const { status } = await loopfold(words, { cwd, env: { HOME: home } });
    expect(status).toBe(0);
    const seen = await readFile(join(cwd, 'seen.txt'), 'utf8');
    expect([seen.includes('agent.sh'), seen.includes('secret')]).toEqual([true, false]);
  },
);

test('X3 the meter counts, whatever the agent says, and ends the run where a call has no room', async () => {
  const counted = await ran(true, '--sandbox', 'off');
  expect(counted.seen).toMatchObject({ paid: 200, login: TOKEN });
  expect(counted.ended.stdout).toContain('1010 tokens');
  const refused = await ran(true, '--sandbox', 'off', '--max-tokens', '20');
  expect([refused.seen?.paid ?? 402, refused.provider.keys]).toEqual([402, []]);
});
