import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Usage } from '../../../machines/events.ts';
import type { Price } from '../../../machines/price.ts';
import { retryAfter } from '../../text/retry-after.ts';
import { type Allowed, cutUsage, MeterAccount } from './meter-account.ts';
import { AnswerPass, bodyOf, objectOf, withUsageAsked } from './meter-call.ts';
import { addressAt, headersFor, type ProviderDoor } from './provider-door.ts';
import type { JsonObject } from '../json-object.ts';
import { answerLimit, isPaid, modelOf, refusalBody, type Wire, withAnswerLimit } from './wire.ts';

/** An agent's words end with a refusal that its client does not repeat: a code for payment, and this header. */
const REFUSED = 402;
const NO_THOUGHT = 'what is left has no room for the thoughts that a call asks for';
const NO_RETRY = { 'x-should-retry': 'false' };
/** Refusals of a provider that no repetition mends. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 402, 403, 404]);
const KEY_REFUSED: ReadonlySet<number> = new Set([401, 403]);
const TOO_MANY = 429;
/** The time that a provider has for an answer, to its last byte. */
const ANSWER_MS = 3_600_000;
const SECRET_BYTES = 18;

/** What a meter is to stand in front of, for one agent. */
export interface Metered {
  readonly doors: readonly ProviderDoor[];
  readonly allowed: Allowed;
  /** The price of a model of a provider. Null: it is not known. */
  readonly priceOf: (provider: string, model: string) => Promise<Price | null>;
  readonly now: () => number;
}

/** The meter of one agent, while it works. */
export interface OpenMeter {
  readonly port: number;
  /** The address that the agent is given for a provider of that API. */
  readonly base: (wire: Wire) => string;
  /** The stand-in for a key: long and odd, because agents take it out of whatever they print. */
  readonly key: string;
  readonly record: () => MeterRecord;
  readonly close: () => void;
}

/** The account of an agent, as the meter knows it. */
export interface MeterRecord {
  readonly usage: Usage;
  readonly calls: number;
  /** The reason why a call was refused here. Null: none was. */
  readonly refusal: string | null;
  /** The provider that has refused its key at the last call. Null: none. */
  readonly keyRefusedBy: string | null;
  /** The end of a limit of the provider that the last call ran into, in milliseconds since 1970. Null: none. */
  readonly limitedUntil: number | null;
}

interface Account {
  readonly metered: Metered;
  readonly account: MeterAccount;
  keyRefusedBy: string | null;
  limitedUntil: number | null;
}

/** A proxy on this machine for the APIs of providers: it counts what passes, and refuses what would pass a limit. */
export class Meter {
  readonly #accounts = new Map<string, Account>();
  #listening: Promise<Server> | null = null;

  async open(metered: Metered): Promise<OpenMeter> {
    this.#listening ??= listening((request, answer) => this.#serve(request, answer));
    const { port } = (await this.#listening).address() as AddressInfo;
    const secret = randomBytes(SECRET_BYTES).toString('hex');
    const one: Account = {
      metered,
      account: new MeterAccount(metered.allowed),
      keyRefusedBy: null,
      limitedUntil: null,
    };
    this.#accounts.set(secret, one);
    return {
      port,
      base: (wire) => `http://127.0.0.1:${port}/${secret}/${wire}`,
      key: `sk-metered-${secret}`,
      record: () => ({
        usage: one.account.spent(),
        calls: one.account.calls(),
        refusal: one.account.refusal(),
        keyRefusedBy: one.keyRefusedBy,
        limitedUntil: one.limitedUntil,
      }),
      close: () => void this.#accounts.delete(secret),
    };
  }

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const [, secret = '', wire = '', path = ''] = /^\/([0-9a-f]+)\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const one = this.#accounts.get(secret);
    const door = one?.metered.doors.find((door) => door.wire === wire);
    const address = door ? addressAt(door, path) : null;
    if (!one || !door || address === null) {
      answer.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such address"}}');
      return;
    }
    const body = await bodyOf(request);
    if (body === null) return refuse(answer, door.wire, 413, 'the request is longer than a meter passes on');
    const { method = 'GET', headers } = request;
    await this.#pass(one, door, { address, path, method, headers: headersFor(door, headers), body }, answer);
  }

  async #pass(one: Account, door: ProviderDoor, sent: Sent, answer: ServerResponse): Promise<void> {
    const { account, metered } = one;
    const asked = objectOf(sent.body);
    const model = modelOf(sent.path, asked);
    const held = isPaid(sent.method, sent.path)
      ? account.reserve({
          model,
          bytes: sent.body.length,
          answerTokens: answerLimit(asked),
          price: await metered.priceOf(door.name, model),
        })
      : null;
    if (typeof held === 'string') return refuse(answer, door.wire, REFUSED, `loopfold: budget reached: ${held}`);
    const changed = held === null ? asked : sendable(door.wire, sent.path, asked, held.answerTokens);
    if (changed === null && held) {
      account.refuse(held, NO_THOUGHT);
      return refuse(answer, door.wire, REFUSED, `loopfold: budget reached: ${NO_THOUGHT}`);
    }
    const body = changed === null || changed === asked ? sent.body : Buffer.from(JSON.stringify(changed));
    const got = await fetched({ ...sent, body }, answer);
    if (got === null) {
      if (held) account.settle(held, null);
      return refuse(answer, door.wire, 502, `loopfold: ${door.name} cannot be reached`);
    }
    const pass = new AnswerPass(door.wire, got.headers.get('content-type') ?? '');
    answer.writeHead(got.status, answerHeaders(got));
    await pass.run(got.body, answer);
    if (!held) return;
    const { counted, isWhole, bytes } = pass.passed();
    if (got.status >= 400) account.settle(held, null);
    else account.settle(held, isWhole ? counted : cutUsage(counted, sent.body.length, bytes), !isWhole);
    one.keyRefusedBy = KEY_REFUSED.has(got.status) ? door.name : null;
    one.limitedUntil = got.status === TOO_MANY ? untilReset(got, pass.text(), metered.now()) : null;
  }
}

/** A request as it leaves: it asks for its usage, and for no longer answer than is reserved. Null: that cannot be. */
function sendable(wire: Wire, path: string, asked: JsonObject, answerTokens: number | null): JsonObject | null {
  const told = withUsageAsked(wire, path, asked) ?? asked;
  if (answerTokens === null || answerLimit(asked) === answerTokens) return told;
  return withAnswerLimit(wire, path, told, answerTokens);
}

interface Sent {
  readonly address: URL;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks the provider. Null: it cannot be reached, or the agent has left. */
async function fetched({ address, method, headers, body }: Sent, answer: ServerResponse): Promise<Response | null> {
  const left = new AbortController();
  answer.once('close', () => left.abort());
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const signal = AbortSignal.any([left.signal, AbortSignal.timeout(ANSWER_MS)]);
  const init = {
    method,
    headers,
    signal,
    redirect: 'manual' as const,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  };
  return fetch(address, init).catch(() => null);
}

/** Headers that say how the body was sent are about another connection. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
]);

const answerHeaders = (got: Response): Record<string, string> => ({
  ...Object.fromEntries([...got.headers].filter(([name]) => !LEFT_OUT.has(name))),
  ...(FINAL.has(got.status) ? NO_RETRY : {}),
});

function untilReset(got: Response, words: string, now: number): number | null {
  const afterMs = retryAfter(Object.fromEntries(got.headers), now, words);
  return afterMs === null ? null : now + afterMs;
}

function refuse(answer: ServerResponse, wire: Wire, status: number, message: string): void {
  if (answer.headersSent || answer.destroyed) return void answer.destroy();
  answer.writeHead(status, { 'content-type': 'application/json', ...NO_RETRY }).end(refusalBody(wire, status, message));
}

async function listening(serve: (request: IncomingMessage, answer: ServerResponse) => Promise<void>): Promise<Server> {
  const server = createServer((request, answer) => {
    request.on('error', () => answer.destroy());
    serve(request, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return server.unref();
}
