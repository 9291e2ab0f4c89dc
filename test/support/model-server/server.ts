import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Usage } from '../../../machines/events.ts';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { google } from './google.ts';
import { responses } from './responses.ts';
import { answerNumber, type Fault, type ReadServerScript, ServerScript } from './script.ts';
import type { Piece, WireFormat } from './wire.ts';

/** A request as it came, and what its answer has reported of the tokens it used. */
export interface ServedRequest {
  readonly number: number;
  readonly wire: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** The last that was sent, also by a stream that died. Null: nothing was told. */
  reported: Usage | null;
  end: 'whole' | 'refused' | 'cut' | 'left' | 'under way';
  isAside: boolean;
}

export interface ModelServer {
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly requests: readonly ServedRequest[];
  /** By wire: what was reported, summed over all requests. */
  readonly spent: () => { readonly [wire: string]: { requests: number; inputTokens: number; outputTokens: number } };
  readonly close: () => Promise<void>;
}

const WIRES: readonly WireFormat[] = [chat, responses, anthropic, google];
const CHARACTERS_PER_TOKEN = 4;

/** A model over HTTP that says what its script tells it to, whichever wire it is asked on. */
export async function modelServer(script: ServerScript, port = 0): Promise<ModelServer> {
  const read = ServerScript.parse(script);
  const requests: ServedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, read, requests).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spent: () => spentIn(requests),
    close,
  };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  script: ReadServerScript,
  requests: ServedRequest[],
) {
  const path = incoming.url?.split('?')[0] ?? '';
  if (path === '/_count') return reply(outgoing, 200, { requests, spent: spentIn(requests) });
  let text = '';
  for await (const piece of incoming.setEncoding('utf8')) text += piece;
  const wire = WIRES.find(({ matches }) => matches(path));
  if (!wire) return reply(outgoing, 404, { error: { message: `no such path: ${path}` } });
  const number = requests.length;
  const request: ServedRequest = {
    number,
    path,
    wire: wire.name,
    headers: incoming.headers,
    body: JSON.parse(text),
    reported: null,
    end: 'under way',
    isAside: false,
  };
  const served = requests.filter(({ end, isAside }) => end === 'whole' && !isAside).length;
  requests.push(request);
  outgoing.on('close', () => {
    if (request.end === 'under way') request.end = 'left';
  });
  const fault = script.faults.find((one) => one.request === number);
  if (fault?.silent) return undefined;
  if (fault?.status !== undefined) {
    request.end = 'refused';
    return reply(outgoing, fault.status, fault.body ?? wire.refusal(fault.status), fault.headers);
  }
  const { windowTokens = Infinity } = script;
  if (tokens(text) > windowTokens) {
    request.end = 'refused';
    return reply(outgoing, 400, wire.overflow(tokens(text), windowTokens));
  }
  const aside =
    script.asides.find(({ contains }) => lastMessage(request.body).includes(contains))?.answer ??
    (offersTools(request.body) ? undefined : script.withoutTools);
  request.isAside = aside !== undefined;
  const wanted = aside ?? answerNumber(script.answers, served);
  const counted = wanted.usage ?? {
    inputTokens: tokens(text),
    outputTokens: tokens(wanted.text + JSON.stringify(wanted.calls)),
  };
  const most = mostOutput(request.body);
  const isCut = counted.outputTokens > most;
  const answer = isCut ? { ...wanted, text: wanted.text.slice(0, most * CHARACTERS_PER_TOKEN), calls: [] } : wanted;
  const usage = isCut ? { ...counted, outputTokens: most } : counted;
  const has = (habit: (typeof script.habits)[number]) => script.habits.includes(habit);
  const said = { answer, usage, model: 'scripted', number, isCut, isEndUnsaid: has('end unsaid') };
  const written = has('counts as text') ? withCountsAsText : (data: unknown) => data;
  if (has('whole')) {
    request.reported = usage;
    request.end = 'whole';
    return reply(outgoing, 200, written(wire.whole(said)));
  }
  const pieces = wire.stream(said).map((piece) => ({ ...piece, data: written(piece.data) }));
  outgoing.writeHead(200, { 'content-type': fault?.contentType ?? 'text/event-stream' });
  outgoing.flushHeaders();
  return send(outgoing, pieces, request, wire, fault);
}

/** The newest message of a request, as JSON. */
function lastMessage(body: unknown): string {
  const { messages, input, contents } = body as { readonly [name: string]: readonly unknown[] | undefined };
  return JSON.stringify((messages ?? input ?? contents ?? []).at(-1) ?? '');
}

const offersTools = (body: unknown): boolean =>
  ((body as { readonly tools?: readonly unknown[] }).tools?.length ?? 0) > 0;

/** How long the answer may be, in the words of any wire. */
function mostOutput(body: unknown): number {
  const said = body as {
    readonly [name: string]: unknown;
    readonly generationConfig?: { readonly maxOutputTokens?: number };
  };
  const most =
    said['max_tokens'] ??
    said['max_completion_tokens'] ??
    said['max_output_tokens'] ??
    said.generationConfig?.maxOutputTokens;
  return typeof most === 'number' ? most : Infinity;
}

async function send(
  outgoing: ServerResponse,
  pieces: readonly Piece[],
  request: ServedRequest,
  wire: WireFormat,
  fault?: Fault,
) {
  for (const [index, piece] of pieces.entries()) {
    if (index === fault?.hangAfter || outgoing.destroyed) return;
    const last = lastWords(fault, index, wire);
    if (last !== null) {
      if (last !== '') await write(outgoing, last, fault);
      if (fault?.holds) return;
      request.end = 'cut';
      if (index === fault?.dieAfter) await die(outgoing);
      else outgoing.end();
      return;
    }
    await write(outgoing, sse(piece), fault);
    request.reported = piece.reports ?? request.reported;
  }
  request.end = 'whole';
  outgoing.end();
}

/** What a stream says last where a fault ends it here; null where it goes on. */
function lastWords(fault: Fault | undefined, index: number, wire: WireFormat): string | null {
  if (index === fault?.malformedAfter) return 'data: {"half": \n\n';
  if (index === fault?.errorAfter) return sse(wire.failure());
  return index === fault?.dieAfter || index === fault?.endAfter ? '' : null;
}

/** What was written is on its way first, so that a test knows what arrived. */
async function die(outgoing: ServerResponse): Promise<void> {
  await wait(10);
  outgoing.socket?.resetAndDestroy();
}

async function write(outgoing: ServerResponse, text: string, fault?: Fault): Promise<void> {
  if (fault?.delayMs !== undefined) await wait(fault.delayMs);
  const bytes = Buffer.from(text);
  const size = fault?.splitBytes ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise<void>((done) => outgoing.write(bytes.subarray(at, at + size), () => done()));
    if (fault?.splitBytes !== undefined) await wait(1);
  }
}

const withCountsAsText = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify(data, (name, value: unknown) =>
      /tokens?(count)?$/i.test(name) && typeof value === 'number' ? String(value) : value,
    ),
  );

const sse = ({ name, data }: Piece) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

function reply(outgoing: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function spentIn(requests: readonly ServedRequest[]) {
  const spent: Record<string, { requests: number; inputTokens: number; outputTokens: number }> = {};
  for (const { wire, reported } of requests) {
    const before = spent[wire] ?? { requests: 0, inputTokens: 0, outputTokens: 0 };
    spent[wire] = {
      requests: before.requests + 1,
      inputTokens: before.inputTokens + (reported?.inputTokens ?? 0),
      outputTokens: before.outputTokens + (reported?.outputTokens ?? 0),
    };
  }
  return spent;
}

const tokens = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
