import { isObject, type JsonObject, objectIn, textIn } from '../json-object.ts';

/** Requests of an agent that wait for our answer. Further ones are refused. */
const MAX_OPEN_QUESTIONS = 64;

const METHOD_NOT_FOUND = -32_601;
const OVERLOADED = -32_000;
const INTERNAL = -32_603;

/** The error that answers a request, in place of a result. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The answer to one of our requests. */
export type Reply =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number | null; readonly message: string }
  /** The agent is gone. */
  | { readonly kind: 'closed' };

interface ConnectionHandlers {
  /** False: the agent does not read any more. */
  readonly send: (line: string) => boolean;
  readonly notified: (method: string, params: JsonObject) => void;
  /** Returns what answers a request, or rejects with a `RequestFault`. Null: there is no such method. */
  readonly asked: (method: string, params: JsonObject) => Promise<JsonObject> | null;
}

/** JSON-RPC 2.0 with one agent, or one editor. Requests have no time limit of their own: race them with one. */
export class Connection {
  readonly #handlers: ConnectionHandlers;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  #requests = 0;
  #openQuestions = 0;
  #isClosed = false;

  constructor(handlers: ConnectionHandlers) {
    this.#handlers = handlers;
  }

  request(method: string, params: JsonObject): Promise<Reply> {
    this.#requests += 1;
    const id = this.#requests;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    if (this.#isClosed || !this.#send({ id, method, params })) return Promise.resolve({ kind: 'closed' });
    this.#pending.set(id, resolve);
    return promise;
  }

  notify(method: string, params: JsonObject): void {
    if (!this.#isClosed) this.#send({ method, params });
  }

  /** Takes a line of the agent. Returns false where it is no message, or answers what was never asked. */
  receive(line: string): boolean {
    if (this.#isClosed || line.trim() === '') return true;
    const message = objectIn(line);
    const id = message?.['id'];
    if (message && typeof message['method'] === 'string') {
      const params = isObject(message['params']) ? message['params'] : {};
      if (typeof id === 'number' || typeof id === 'string') this.#answer(id, message['method'], params);
      else this.#handlers.notified(message['method'], params);
      return true;
    }
    const resolve = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (!message || !resolve || typeof id !== 'number') return false;
    this.#pending.delete(id);
    resolve(replyOf(message));
    return true;
  }

  /** The agent is gone: whatever was asked has no answer. */
  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#pending.values()) resolve({ kind: 'closed' });
    this.#pending.clear();
  }

  #answer(id: number | string, method: string, params: JsonObject): void {
    const error = (code: number, message: string) => this.#send({ id, error: { code, message } });
    if (this.#openQuestions >= MAX_OPEN_QUESTIONS) {
      error(OVERLOADED, `${MAX_OPEN_QUESTIONS} requests wait already`);
      return;
    }
    const answer = this.#handlers.asked(method, params);
    if (!answer) {
      error(METHOD_NOT_FOUND, `no method ${method}`);
      return;
    }
    this.#openQuestions += 1;
    const over = (send: () => unknown) => {
      this.#openQuestions -= 1;
      if (!this.#isClosed) send();
    };
    void answer.then(
      (result) => over(() => this.#send({ id, result })),
      (fault: unknown) => over(() => error(fault instanceof RequestFault ? fault.code : INTERNAL, messageOf(fault))),
    );
  }

  #send(message: JsonObject): boolean {
    return this.#handlers.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

function replyOf(message: JsonObject): Reply {
  const { error, result } = message;
  if (error === undefined || error === null) return { kind: 'result', result: isObject(result) ? result : {} };
  const { code, message: said, data } = isObject(error) ? error : {};
  const details = isObject(data) ? textIn(data['details'] ?? data['message']) : textIn(data);
  const words = [textIn(said), details].filter((text) => text !== '').join(': ');
  return { kind: 'error', code: typeof code === 'number' ? code : null, message: words || 'no reason was given' };
}
