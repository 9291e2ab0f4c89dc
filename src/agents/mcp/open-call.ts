import type { CallToolResult, ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import type { ServerQuestion } from '../../../machines/server-question.ts';
import type { AskedBefore } from '../../actors/tools/tool.ts';
import { oneLine } from '../../text/one-line.ts';
import { questionOf } from './server-questions.ts';

/** The most questions of one call: a server that asks more is told that they are dismissed. */
const MAX_QUESTIONS = 10;
/** How long a server is kept waiting for a person. After that the call is made again with the answer. */
const HELD_MS = 300_000;
const MAX_SAID_CHARS = 200;

/** What a call comes to: its result, or a question that a person answers first. */
export type CallEnd =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'asks'; readonly question: ServerQuestion };

/** The times of a call. Progress begins the silence anew, and neither runs while a person is asked. */
export interface CallLimits {
  readonly silenceMs: number;
  readonly callMs: number;
}

interface Pending {
  readonly question: ServerQuestion;
  readonly give: (result: ElicitResult) => void;
}

const DISMISSED: ElicitResult = { action: 'cancel' };

/**
 * A call that a server works on. Where the server asks a person, the call is held for some minutes: with the answer it
 * goes on where it was.
 */
export class OpenCall {
  readonly #server: string;
  readonly #limits: CallLimits;
  readonly #stop = new AbortController();
  readonly #notes: string[] = [];
  readonly #result: Promise<CallToolResult>;
  #asked: AskedBefore;
  #pending: Pending | null = null;
  /** Questions come one after the other, also where a server asks several at once. */
  #turn: Promise<unknown> = Promise.resolve();
  #questions = 0;
  #tellAsked: (question: ServerQuestion) => void = () => {};
  #silence: NodeJS.Timeout | undefined;
  #whole: NodeJS.Timeout | undefined;
  #patience: NodeJS.Timeout | undefined;
  isHeld = false;

  /** `send` makes the call, until the signal. */
  constructor(
    server: string,
    send: (signal: AbortSignal) => Promise<CallToolResult>,
    asked: AskedBefore,
    limits: CallLimits,
  ) {
    this.#server = server;
    this.#asked = asked;
    this.#limits = limits;
    this.#wind();
    this.#result = send(this.#stop.signal).finally(() => this.#still());
    // A call that is held has no caller, so its failure has no handler.
    this.#result.catch(() => {});
  }

  /** Sentences for the model about questions that no person has seen. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Waits for the result, or for the next question. */
  async next(signal: AbortSignal): Promise<CallEnd> {
    const stop = () => this.stop(String(signal.reason));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const asks = new Promise<CallEnd>((resolve) => {
      this.#tellAsked = (question) => resolve({ kind: 'asks', question });
    });
    try {
      return await Promise.race([this.#result.then((result): CallEnd => ({ kind: 'result', result })), asks]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Continues with what a person has answered since. Returns false where its question has no answer yet. */
  resume(asked: AskedBefore): boolean {
    this.#asked = asked;
    const answer = this.#pending && answerIn(asked, this.#pending.question);
    if (!answer) return false;
    clearTimeout(this.#patience);
    this.isHeld = false;
    this.#wind();
    this.#pending?.give(answer);
    this.#pending = null;
    return true;
  }

  /** A question of the server: answered at once where the answer is known, or none can be had. */
  ask(params: ElicitRequestParams): Promise<ElicitResult> {
    const answer = this.#turn.then(() => this.#answer(params));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** The server has done something. */
  progress(): void {
    if (!this.isHeld) this.#rewind();
  }

  /** Notes a question that is dismissed, for the model. */
  dismiss(why: string, message: string): ElicitResult {
    this.#notes.push(`[the server asked a person "${oneLine(message, MAX_SAID_CHARS)}": ${why}]`);
    return DISMISSED;
  }

  stop(why: string): void {
    this.#still();
    this.#stop.abort(why);
    this.#pending?.give(DISMISSED);
    this.#pending = null;
  }

  async #answer(params: ElicitRequestParams): Promise<ElicitResult> {
    const { message } = params;
    if (this.#stop.signal.aborted) return DISMISSED;
    if ((this.#questions += 1) > MAX_QUESTIONS)
      return this.dismiss(`that is more than the ${MAX_QUESTIONS} questions of a call, so it was dismissed`, message);
    const question = questionOf(this.#server, params);
    if (!question) return this.dismiss('it has no form that can be shown here, so it was dismissed', message);
    const known = answerIn(this.#asked, question);
    if (known) return known;
    if (!this.#asked.isAttended) {
      this.dismiss('none is there, so it was declined', message);
      return { action: 'decline' };
    }
    this.#still();
    this.isHeld = true;
    this.#patience = setTimeout(() => this.stop('no person has answered'), HELD_MS).unref();
    return new Promise((give) => {
      this.#pending = { question, give };
      this.#tellAsked(question);
    });
  }

  #wind(): void {
    this.#whole = setTimeout(() => this.stop(`no result within ${this.#limits.callMs / 1_000} s`), this.#limits.callMs);
    this.#rewind();
  }

  #rewind(): void {
    clearTimeout(this.#silence);
    const { silenceMs } = this.#limits;
    this.#silence = setTimeout(() => this.stop(`silent for ${silenceMs / 1_000} s`), silenceMs);
  }

  #still(): void {
    for (const timer of [this.#silence, this.#whole, this.#patience]) clearTimeout(timer);
  }
}

function answerIn({ answers }: AskedBefore, { digest }: ServerQuestion): ElicitResult | null {
  const found = answers.find((one) => one.digest === digest);
  if (!found) return null;
  if (found.action === 'decline') return { action: 'decline' };
  return { action: 'accept', content: (found.content ?? {}) as ElicitResult['content'] };
}
