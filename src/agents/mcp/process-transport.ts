import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { quotedAll } from '../../text/shell-words.ts';
import { type AgentProcess, startAgent } from '../agent-process.ts';
import { jsonIn } from '../../text/json-in.ts';
import { isObject, type JsonObject, objectIn } from '../json-object.ts';
import type { EnterWalls, StdioServer } from './server-spec.ts';

/** The time that a server has to end once its input is closed. */
const CLOSE_MS = 500;

export interface ServerPlace {
  /** Absolute. */
  readonly directory: string;
  /** Null: without walls. */
  readonly enter: EnterWalls | null;
}

const INVALID = -32_600;

/** An error in place of an answer that is nested too deeply: its caller does not wait for it. */
function unreadable(line: string): JsonObject | null {
  const value = /^\s*\{/.test(line) ? jsonIn(line) : undefined;
  if (!isObject(value) || value['id'] === undefined || 'method' in value) return null;
  return { jsonrpc: '2.0', id: value['id'], error: { code: INVALID, message: 'its answer is nested too deeply' } };
}

/**
 * A server as a process of ours: in a group of its own, which ends with this process, whatever the server has started.
 * What it prints besides messages is kept as words for when it fails.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #server: StdioServer;
  readonly #place: ServerPlace;
  #process: AgentProcess | null = null;

  constructor(server: StdioServer, place: ServerPlace) {
    this.#server = server;
    this.#place = place;
  }

  /** The end of what it printed as errors. */
  get said(): string {
    return this.#process?.said() ?? '';
  }

  async start(): Promise<void> {
    const { command, args, env } = this.#server;
    const { directory, enter } = this.#place;
    const plain = `exec ${quotedAll([command, ...args])}`;
    const { environment, ...entered } = enter?.(plain, env) ?? { command: plain, environment: env };
    const started = startAgent(
      { run: null, directory, passes: [], environment, ...entered },
      {
        line: async (line, note) => {
          const message = objectIn(line) ?? unreadable(line);
          if (message) this.onmessage?.(message as unknown as JSONRPCMessage);
          else note(`${line.slice(0, 1_000)}\n`);
        },
        flooded: (reason) => this.onerror?.(new Error(`it prints too much: ${reason}`)),
      },
    );
    if ('missing' in started) throw new Error(started.missing);
    this.#process = started;
    void started.gone.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process?.write(JSON.stringify(message))) throw new Error('the server does not read any more');
  }

  async close(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    running.closeInput();
    await Promise.race([running.gone, delay(CLOSE_MS, undefined, { ref: false })]);
    await running.end();
  }
}
