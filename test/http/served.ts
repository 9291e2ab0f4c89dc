import { onTestFinished } from 'vitest';
import type { AnyScript } from '../../src/actors/model/model-script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import type { ApiHost, Person } from '../../src/http/api-host.ts';
import { digestOf } from '../../src/http/keys.ts';
import { serveApi, type ServeOptions } from '../../src/http/serve-api.ts';
import { ServedRuns } from '../../src/http/run-service.ts';
import type { LoopsOptions } from '../../src/hosts/local/loops-options.ts';
import { office } from '../hosts/local/office.ts';

export const TOKEN = 'a-token-of-thirty-two-characters';
const ADA: Person = { name: 'ada', email: null, isKnown: true };

export interface Asking {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The members of answers that tests read. */
export interface Answered {
  readonly run: string;
  readonly runs: readonly unknown[];
  readonly more: number;
  readonly version: number;
  readonly value: unknown;
  readonly code: string;
  readonly standing: { readonly asks: number };
  readonly ending: { readonly kind: string } | null;
  readonly paths: Readonly<Record<string, object>>;
}

export const answered = async (response: Response): Promise<Answered> => (await response.json()) as Answered;

/** A log behind a real server on a free port of this machine, and a client with a token. */
export async function served(
  script: AnyScript,
  more: Partial<ApiHost> & Partial<ServeOptions> = {},
  options: Partial<LoopsOptions> = {},
) {
  const { log, loops: make, start } = office(script, options);
  const loops = make();
  const told: string[] = [];
  const kept = more.isReadOnly ? null : new ServedRuns(loops, (message) => told.push(message));
  const defaults: Partial<RunOptions> = { loop: 'turn', tools: ['ask_user', 'finish'] };
  const proof = { protect: [], unprotect: [], deps: [] };
  const host = { loops, kept, defaults, proof, isReadOnly: false, warn: (line: string) => told.push(line), ...more };
  const tokens = [{ name: 'Grace', email: 'grace@example.org', digest: digestOf(TOKEN) }];
  const server = await serveApi(host, { host: '127.0.0.1', port: 0, person: ADA, tokens, page: null, ...more });
  onTestFinished(async () => {
    await kept?.stop();
    await server.close();
    await log.close();
  });
  const base = `http://127.0.0.1:${server.port}`;
  const ask = (path: string, { method = 'GET', body, headers = {}, ...more }: Asking = {}) =>
    fetch(`${base}${path}`, {
      method,
      redirect: 'manual',
      ...more,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    });
  const get = async (path: string) => answered(await ask(path));
  const post = (path: string, body: unknown = {}) => ask(path, { method: 'POST', body });
  return { log, loops, start, server, base, ask, get, post, told };
}

/** Reads a stream of events until it ends, or so many have come. */
export async function eventsIn(response: Response, most = Number.POSITIVE_INFINITY) {
  const events: { readonly id: number; readonly data: { readonly version: number } }[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, id] = /^id: (\d+)$/m.exec(frame) ?? [];
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      if (id !== undefined && data !== undefined) events.push({ id: Number(id), data: JSON.parse(data) });
    }
    if (events.length >= most) return events;
  }
  return events;
}
