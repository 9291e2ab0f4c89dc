import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { LoopEvent } from '../../../machines/events.ts';
import { type ModelServer, modelServer } from '../../support/model-server/server.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { processesWith } from '../../../src/actors/command-mark.ts';
import { INSTALLED, type RealAgent } from './real-agents.ts';

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts');
/** The real key of these tests. Long and odd: some agents take a key out of all that they print. */
export const KEY = 'sk-real-5f0c9a1e7b';
/** The longest that one command of the program may take. */
const MAX_MS = 150_000;

/** A workspace, a home and a scripted provider for one case of one agent. */
export interface Played {
  readonly agent: RealAgent;
  readonly workspace: string;
  readonly server: ModelServer;
  /** Keys that have reached a server which no agent was told of by us. */
  readonly strayed: string[];
  readonly elsewhere: string;
  readonly start: (...words: readonly string[]) => Started;
  /** The facts of the newest run and of its attempts. */
  readonly facts: () => Promise<readonly LoopEvent[]>;
  /** Processes that an agent has left, by the variable that its home is in. */
  readonly left: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly status: number | null; readonly output: string }>;
}

export async function playing(agent: RealAgent, script: ServerScript): Promise<Played> {
  // Beside the agents: Codex wants no home among temporary files.
  const base = join(INSTALLED, 'node_modules', '.work');
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(join(base, `${agent.name}-`));
  const [workspace, home] = [join(folder, 'workspace'), join(folder, 'home')];
  for (const path of [workspace, home]) mkdirSync(path);
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], { cwd: workspace });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  const server = await modelServer({ withoutTools: { text: 'A title' }, ...script });
  const decoy = await strays();
  const env = {
    PATH: `${join(INSTALLED, 'node_modules', '.bin')}:${process.env['PATH']}`,
    HOME: home,
    NO_COLOR: '1',
    ...agent.variables(server.url, KEY),
  };
  const start = (...words: readonly string[]): Started => {
    const child = spawn(process.execPath, [MAIN, ...words], { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'close').then(([status]) => {
      clearTimeout(timer);
      return { status: status as number | null, output };
    });
    return { child, ended };
  };
  const eventsOf = async (...run: readonly string[]): Promise<readonly LoopEvent[]> => {
    const { output } = await start('events', ...run, '--json').ended;
    return output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LoopEvent] : []));
  };
  return {
    agent,
    workspace,
    server,
    strayed: decoy.keys,
    elsewhere: decoy.url,
    start,
    facts: async () => {
      const facts = await eventsOf('--last');
      const children = facts.flatMap(({ type, payload }) => (type === 'child.settled' ? [payload.child] : []));
      const more = await Promise.all(children.map((child) => eventsOf(child)));
      return [...facts, ...more.flat()];
    },
    left: () => processesWith((environment) => environment.includes(home)),
    close: async () => {
      await server.close();
      decoy.close();
    },
  };
}

/** A server on loopback that no agent is told of, and the keys that have reached it. */
async function strays() {
  const keys: string[] = [];
  const server = createServer((request, answer) => {
    keys.push(`${request.url}: ${request.headers['x-api-key'] ?? request.headers.authorization ?? 'no key'}`);
    answer.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys, close };
}
