import type {
  Client,
  ElicitRequestParams,
  ElicitResult,
  Progress,
  Prompt,
  Tool as ServerTool,
  Transport,
} from '@modelcontextprotocol/client';
import type { AskedBefore, ToolReply } from '../../actors/tools/tool.ts';
import { VERSION } from '../../log/program-version.ts';
import { oneLine } from '../../text/one-line.ts';
import type { Sdk } from './load-client.ts';
import { ProcessTransport, type ServerPlace } from './process-transport.ts';
import type { HttpServer, McpServerSpec } from './server-spec.ts';
import { OpenCall } from './open-call.ts';
import { type KeepBlob, textOfResult } from './result-text.ts';

/** The time that a server has to start, and to say what it offers. */
const HANDSHAKE_MS = 60_000;
/** The longest call, and the longest silence in it: progress begins the silence anew. */
const CALL_MS = 110_000;
const SILENCE_MS = 60_000;
const NO_LIMIT_MS = 2 ** 31 - 1;
const MAX_PAGES = 100;
const MAX_SAID_CHARS = 500;

export interface CallHow {
  /** Which call of which run it is: with the answer of a person it is the same. */
  readonly key: string;
  readonly asked?: AskedBefore | undefined;
  readonly signal: AbortSignal;
  readonly delta: (text: string) => void;
  readonly keep: KeepBlob;
}

/** Of a host that knows nothing of people. */
const UNASKED: AskedBefore = { answers: [], isAttended: false };

/** A part of what a server offers beside tools. */
export type Wanted =
  | { readonly kind: 'resources' | 'prompts' }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly name: string; readonly given: Readonly<Record<string, string>> };

/** A server that is spoken to. One that has ended is started again for the next call, once. */
export class McpConnection {
  readonly spec: McpServerSpec;
  readonly #sdk: Sdk;
  readonly #place: ServerPlace;
  #client: Client | null = null;
  #transport: Transport | null = null;
  #starting: Promise<Client> | null = null;
  #hasEnded = false;
  #restarts = 0;
  readonly #working = new Set<OpenCall>();
  /** Those that wait until a person has answered. */
  readonly #held = new Map<string, OpenCall>();

  constructor(sdk: Sdk, spec: McpServerSpec, place: ServerPlace) {
    this.#sdk = sdk;
    this.spec = spec;
    this.#place = place;
  }

  /** What the server offers. Throws an `Error` with its words where it does not start. */
  async tools(): Promise<readonly ServerTool[]> {
    const client = await this.#connected();
    try {
      return await listedBy(client);
    } catch (error) {
      const because = oneLine(error instanceof Error ? error.message : String(error), MAX_SAID_CHARS);
      throw new Error(`the server ${this.spec.name} does not list its tools: ${because}${this.#words()}`, {
        cause: error,
      });
    }
  }

  /** What a server that has started offers beside tools. */
  offers(): { readonly resources: boolean; readonly prompts: boolean } {
    const { resources, prompts } = this.#client?.getServerCapabilities() ?? {};
    return { resources: resources !== undefined, prompts: prompts !== undefined };
  }

  /** Its resources or its prompts, a line each; or one of them, whole. */
  async reads(what: Wanted, { signal, keep }: Pick<CallHow, 'signal' | 'keep'>): Promise<string> {
    const client = await this.#connected();
    const how = { signal, timeout: SILENCE_MS };
    switch (what.kind) {
      case 'resources':
        return listText(
          (await client.listResources({}, how)).resources.map((one) => [one.uri, one.name, one.description]),
        );
      case 'resource': {
        const { contents } = await client.readResource({ uri: what.uri }, how);
        return textOfResult({ content: contents.map((resource) => ({ type: 'resource', resource })) }, keep);
      }
      case 'prompts':
        return listText(
          (await client.listPrompts({}, how)).prompts.map((one) => [promptForm(one), one.title ?? '', one.description]),
        );
      case 'prompt': {
        const { messages } = await client.getPrompt({ name: what.name, arguments: { ...what.given } }, how);
        return textOfResult({ content: messages.map(({ content }) => content) }, keep);
      }
    }
  }

  /** Calls a tool. Returns what it says, or what it asks. Throws an `Error` where it fails: the model reads it. */
  async call(tool: string, given: Readonly<Record<string, unknown>>, how: CallHow): Promise<ToolReply> {
    const { key, signal, asked = UNASKED } = how;
    const call = this.#heldWith(key, asked) ?? (await this.#begun(tool, given, how));
    try {
      const end = await call.next(signal);
      if (end.kind === 'asks') {
        this.#held.set(key, call);
        return { output: '', asks: end.question };
      }
      this.#working.delete(call);
      const said = [textOfResult(end.result, how.keep), ...call.notes].filter((text) => text !== '').join('\n');
      if (end.result.isError) throw new Error(said === '' ? 'the tool failed, and said nothing' : said);
      return { output: said };
    } catch (error) {
      this.#working.delete(call);
      if (!this.#hasEnded) throw error;
      const what = `the server ${this.spec.name} ended during this call: how far it got is unknown`;
      throw new Error(`${what}${this.#words()}`, { cause: error });
    }
  }

  /** The call that waits for this answer. Null: there is none, or the server has been let go. */
  #heldWith(key: string, asked: AskedBefore): OpenCall | null {
    const held = this.#held.get(key);
    this.#held.delete(key);
    if (!held) return null;
    if (!this.#hasEnded && held.resume(asked)) return held;
    held.stop('it is made again');
    this.#working.delete(held);
    return null;
  }

  async #begun(
    tool: string,
    given: Readonly<Record<string, unknown>>,
    { delta, asked = UNASKED }: CallHow,
  ): Promise<OpenCall> {
    const client = await this.#connected();
    const limits = { silenceMs: SILENCE_MS, callMs: CALL_MS };
    const send = (signal: AbortSignal) =>
      client.callTool(
        { name: tool, arguments: { ...given } },
        {
          signal,
          // The call has times of its own, which stand still while a person is asked.
          timeout: NO_LIMIT_MS,
          onprogress: (progress: Progress) => {
            call.progress();
            delta(`${oneLine(progressText(progress), MAX_SAID_CHARS)}\n`);
          },
        },
      );
    const call: OpenCall = new OpenCall(this.spec.name, send, asked, limits);
    this.#working.add(call);
    return call;
  }

  /** A question of the server belongs to the one call that it works on: of several it does not say which. */
  #ask(params: ElicitRequestParams): Promise<ElicitResult> | ElicitResult {
    const working = [...this.#working].filter(({ isHeld }) => !isHeld);
    const [only] = working;
    if (only && working.length === 1) return only.ask(params);
    const why = 'several calls of it ran, so it was dismissed: make the call alone';
    for (const one of working) one.dismiss(why, params.message);
    return { action: 'cancel' };
  }

  /** Ends the server, and what it has started. */
  async close(): Promise<void> {
    this.#hasEnded = true;
    this.#restarts = Infinity;
    for (const call of this.#working) call.stop('the server is closed');
    await this.#client?.close().catch(() => {});
    await this.#transport?.close().catch(() => {});
  }

  async #connected(): Promise<Client> {
    if (this.#client && !this.#hasEnded) return this.#client;
    this.#starting ??= this.#start().finally(() => (this.#starting = null));
    return this.#starting;
  }

  async #start(): Promise<Client> {
    const { name } = this.spec;
    if (this.#hasEnded && (this.#restarts += 1) > 1)
      throw new Error(`the server ${name} has ended again after it was started once more${this.#words()}`);
    await this.#transport?.close().catch(() => {});
    this.#hasEnded = false;
    const isHttp = 'url' in this.spec.at;
    const client = new this.#sdk.Client(
      { name: 'loopfold', version: VERSION },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: isHttp ? 'auto' : 'legacy' } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => this.#ask(params));
    const transport = this.#transportFor();
    this.#transport = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- The SDK has no listeners.
    client.onclose = () => (this.#hasEnded = true);
    try {
      await client.connect(transport, { timeout: HANDSHAKE_MS });
    } catch (error) {
      await transport.close().catch(() => {});
      const because = oneLine(error instanceof Error ? error.message : String(error), MAX_SAID_CHARS);
      const where = this.#place.enter && !('url' in this.spec.at) ? ' behind the walls' : '';
      throw new Error(`the server ${name} does not start${where}: ${because}${this.#words()}`, { cause: error });
    }
    this.#client = client;
    return client;
  }

  #transportFor(): Transport {
    const { at } = this.spec;
    if (!('url' in at)) return new ProcessTransport(at, this.#place);
    return httpTransport(this.#sdk, at);
  }

  #words(): string {
    const said = this.#transport instanceof ProcessTransport ? oneLine(this.#transport.said, MAX_SAID_CHARS) : '';
    return said === '' ? '' : `. It said: ${said}`;
  }
}

/** All tools of a server, page by page. */
async function listedBy(client: Client): Promise<readonly ServerTool[]> {
  const tools: ServerTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: HANDSHAKE_MS });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

const httpTransport = ({ StreamableHTTPClientTransport }: Sdk, { url, headers }: HttpServer): Transport =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } });

const listText = (rows: readonly (readonly (string | undefined)[])[]): string => {
  const lines = rows.map((row) => oneLine(row.filter((part) => part).join(': '), MAX_SAID_CHARS));
  return lines.length === 0 ? 'the server has none' : lines.join('\n');
};

/** `review(file, style?)`. */
const promptForm = ({ name, arguments: given = [] }: Prompt): string =>
  `${name}(${given.map((one) => (one.required ? one.name : `${one.name}?`)).join(', ')})`;

const progressText = ({ progress, total, message }: Progress): string =>
  message ?? (total === undefined ? String(progress) : `${progress} of ${total}`);
