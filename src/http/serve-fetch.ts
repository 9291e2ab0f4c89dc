import { randomBytes } from 'node:crypto';
import { apiApp, withProblems } from './api-app.ts';
import { gate, secured } from './gate.ts';
import { digestOf, Keys, type UserToken } from './keys.ts';
import { listen, type Listening } from './listen.ts';
import { hostsOf } from './serve-api.ts';

const TOKEN_BYTES = 32;

export interface FetchServing {
  /** The only path that is served. */
  readonly path: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The first port that is tried; 0 is any. */
  readonly port: number;
  /** Tokens of users. Empty: one is made, for this server alone. */
  readonly tokens: readonly UserToken[];
  readonly warn: (message: string) => void;
}

export interface FetchServed extends Listening {
  readonly address: string;
  /** The token that was made. Null: users have their own. */
  readonly token: string | null;
}

const HOST = '127.0.0.1';

/** Serves requests of programs on this machine behind the gate: each has a token, and names this server. */
export async function serveFetch({ path, fetch, port, tokens, warn }: FetchServing): Promise<FetchServed> {
  const token = tokens.length > 0 ? null : randomBytes(TOKEN_BYTES).toString('base64url');
  const known = token === null ? tokens : [{ name: 'a program', email: null, digest: digestOf(token) }];
  const listening = await listen(HOST, port, (bound) => {
    const person = { name: 'a program', email: null, isKnown: false };
    const keys = new Keys({ port: bound, person, tokens: known });
    const app = apiApp();
    withProblems(app, warn);
    app.use('*', secured);
    app.use('*', gate({ keys, hosts: hostsOf({ host: HOST }, bound), isReadOnly: false }));
    app.all(path, (c) => fetch(c.req.raw));
    return app.fetch;
  });
  return { ...listening, token, address: `http://${HOST}:${listening.port}${path}` };
}
