import { z } from '@hono/zod-openapi';
import { type Answer, type Asked, ENDPOINTS, type Endpoints, STREAMS, type Streams } from './endpoints.ts';
import { PROBLEM_EVENT } from './event-message.ts';
import { Problem } from './problem.ts';
import { framesIn } from './read-frames.ts';

export interface HttpClientOptions {
  /** Where the server is: `http://127.0.0.1:4610`. */
  readonly url: string;
  /** A token of the server's users. */
  readonly token: string;
  /** What sends requests. Absent: that of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A request that the server has refused. `problem` says why. */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError';
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
  }
}

/** An event of a stream, with the version or the position that it stands for. */
export interface Streamed<Data> {
  readonly id: number;
  readonly data: Data;
}

interface Route {
  readonly method: string;
  readonly path: string;
}

type Given = Readonly<Record<string, unknown>> & { readonly body?: unknown };

/**
 * A client of the HTTP API, typed by the schemas that the server checks requests with. Answers are checked by them,
 * too.
 *
 * @example
 * const client = new HttpClient({ url: 'http://127.0.0.1:4610', token });
 * const { run } = await client.ask('start', { body: { prompt: 'Make the tests pass.' } });
 * for await (const { data } of client.follow('events', { run })) console.log(data.type);
 */
export class HttpClient {
  readonly #url: string;
  readonly #token: string;
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor({ url, token, fetch = (request) => globalThis.fetch(request) }: HttpClientOptions) {
    this.#url = url;
    this.#token = token;
    this.#fetch = fetch;
  }

  /** Asks one route. Rejects with an `HttpClientError` where it is refused. */
  async ask<Name extends keyof Endpoints>(
    name: Name,
    given: Asked<Endpoints[Name]>,
    signal?: AbortSignal,
  ): Promise<Answer<Endpoints[Name]>> {
    const route = ENDPOINTS[name];
    const { schema } = route.responses[200].content['application/json'];
    const response = await this.#send(route, given, signal);
    return schema.parse(await response.json()) as Answer<Endpoints[Name]>;
  }

  /**
   * Follows a stream until it ends or the signal aborts. `offset` is where it begins. Rejects with an `HttpClientError`
   * where it is refused, and where it ends because the server cannot read on.
   */
  async *follow<Name extends keyof Streams>(
    name: Name,
    given: Asked<Streams[Name]['route']>,
    signal?: AbortSignal,
  ): AsyncGenerator<Streamed<ReturnType<Streams[Name]['data']['parse']>>> {
    const { route, data } = STREAMS[name];
    const { body } = await this.#send(route, given, signal);
    if (!body) return;
    for await (const frame of framesIn(body)) {
      if (frame.name === PROBLEM_EVENT) throw endedBy(frame.data);
      yield { id: frame.id, data: data.parse(JSON.parse(frame.data)) as ReturnType<Streams[Name]['data']['parse']> };
    }
  }

  async #send({ method, path }: Route, given: Given, signal: AbortSignal | undefined): Promise<Response> {
    const { body, ...named } = given;
    const url = new URL(this.#url);
    const query = new Map(Object.entries(named));
    url.pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(query.get(name));
      query.delete(name);
      return encodeURIComponent(value);
    });
    for (const [name, value] of query) if (value !== undefined) url.searchParams.set(name, String(value));
    const request = new Request(url, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(method === 'get' ? {} : { body: JSON.stringify(body ?? {}) }),
      ...(signal ? { signal } : {}),
    });
    const response = await this.#fetch(request);
    if (response.ok) return response;
    throw new HttpClientError(response.status, await problemIn(response));
  }
}

const EndedBy = Problem.extend({ status: z.int() });

/** Why a stream that had begun has ended. */
function endedBy(data: string): HttpClientError {
  const { status, ...problem } = EndedBy.parse(JSON.parse(data));
  return new HttpClientError(status, problem);
}

/** What a server has refused with. One that stands before it may answer with something else. */
async function problemIn(response: Response): Promise<Problem> {
  const read = Problem.safeParse(await response.json().catch(() => null));
  return read.success ? read.data : { code: 'other', message: `status ${response.status}` };
}
