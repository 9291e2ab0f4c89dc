import type { EventOf, Remade } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Outcome } from '../../../machines/outcome.ts';
import type { Message, MessageCall } from '../../actors/model/model.ts';
import { head } from '../../text/excerpt.ts';
import { sentence } from '../../text/sentence.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { Conversation, ReportedWork } from '../../kernel/loop-definition.ts';
import { sentinelOf } from '../../strategies/sentinel.ts';
import { AgentPast } from './agent-past.ts';
import { remadeNotice } from '../remade-notice.ts';
import { openingMessages } from './request-record.ts';
import { changedBy, WorkSinceCapture } from './work-since-capture.ts';

type ToolMessage = Extract<Message, { role: 'tool' }>;

interface OpenCall {
  readonly call: MessageCall;
  readonly isAdmitted: boolean;
  readonly result: ToolMessage | null;
}

/** The length to which the answer of a delegate is cut. */
const MAX_DELEGATE_ANSWER_CHARS = 30_000;

/**
 * The conversation of a turn, folded from its facts: what the model has to see before its next answer.
 *
 * @example
 * const transcript = new Transcript();
 * for await (const read of readEvents(log, run)) if (read.kind === 'event') transcript.observe(read.event);
 * transcript.messages();
 */
export class Transcript implements Conversation {
  readonly #messages: Message[] = [];
  /** The newest answer's calls, in the order the model asked, each with its result once it has one. */
  #open: OpenCall[] = [];
  /**
   * Steering that the model has not received yet. It waits for the next step, because the calls of this one are
   * answered first.
   */
  readonly #unheard: string[] = [];
  #answer = '';
  /** Of the newest message. */
  #said = '';
  #text: string | null = null;
  #task: Message | null = null;
  /** A step has begun, and its answer is not there yet. */
  #isAsking = false;
  readonly #work = new WorkSinceCapture();
  /** What an agent of others does in this step, and has done for its answers. */
  readonly #agent = new AgentPast();
  readonly #reported = new WeakMap<Message, readonly ReportedWork[]>();

  observe(fact: Fact): void {
    this.#work.observe(fact);
    this.#agent.observe(fact);
    switch (fact.type) {
      case 'run.started':
        this.#begin(fact.payload.settings);
        break;
      case 'run.resumed':
      case 'run.continued':
        if (fact.payload.remade) this.#madeAgain(fact.payload.remade);
        break;
      case 'step.started':
        this.#isAsking = true;
        for (const text of this.#unheard.splice(0)) this.#say({ role: 'user', text });
        break;
      case 'model.completed':
        this.#answered(fact);
        break;
      case 'calls.admitted':
        this.#admitted(fact);
        break;
      case 'tool.completed':
        this.#work.changes(this.#changedBy(fact.payload.callId));
        this.#result(fact.payload.callId, fact.payload.output, false);
        if (fact.payload.answer !== undefined) this.#finished(fact.payload.answer);
        break;
      case 'tool.failed':
        this.#result(fact.payload.callId, fact.payload.fault.message, true);
        break;
      case 'tool.interrupted':
        this.#result(fact.payload.callId, interrupted(fact.payload.reason), true);
        break;
      case 'person.answered':
        this.#result(fact.payload.callId, fact.payload.answer, fact.payload.permission?.granted === false);
        break;
      case 'child.settled':
        this.#handedBack(fact.payload);
        break;
      case 'decision.made':
        if (fact.payload.feedback !== undefined) this.#say({ role: 'user', text: fact.payload.feedback });
        break;
      case 'run.steered':
        this.#unheard.push(fact.payload.text);
        break;
      case 'context.compacted':
        this.#compact(fact.payload);
        break;
    }
  }

  /** Oldest first. A call without a result gets a message that says why: providers refuse unanswered calls. */
  messages(): readonly Message[] {
    this.#close();
    return this.#messages.slice();
  }

  task(): number {
    return Math.max(0, this.#task ? this.#messages.indexOf(this.#task) : 0);
  }

  /** The newest answer: the final answer of a tool, or the text of the model. */
  answer(): string {
    return this.#answer;
  }

  /** The text beside the final answer of a tool. Null where there is none, or where the text is the answer. */
  text(): string | null {
    return this.#text;
  }

  workOf(message: Message): readonly ReportedWork[] {
    return this.#reported.get(message) ?? [];
  }

  underWay(): ReturnType<NonNullable<Conversation['underWay']>> {
    const { said } = this.#agent;
    const calls = this.#agent.calls();
    return said.length + calls.length === 0 ? null : { said, calls };
  }

  #begin(settings: RunSettings): void {
    const messages = openingMessages(settings);
    this.#task = messages.at(-1) ?? null;
    this.#messages.push(...messages);
  }

  #answered({ payload }: EventOf<'model.completed'>): void {
    this.#isAsking = false;
    const { text, calls, model, continuity } = payload;
    const whose = { ...(model === undefined ? {} : { model }), ...(continuity === undefined ? {} : { continuity }) };
    const message = { role: 'assistant', text, calls, ...whose } as const;
    if (payload.agent) this.#reported.set(message, payload.agent.calls);
    this.#say(message);
    this.#open = payload.calls.map((call) => ({ call, isAdmitted: false, result: null }));
    this.#said = payload.text;
    this.#answer = payload.text;
    this.#text = null;
  }

  #finished(answer: string): void {
    this.#text = this.#said === '' ? null : this.#said;
    this.#answer = answer;
  }

  #admitted({ payload }: EventOf<'calls.admitted'>): void {
    const admitted = new Set(payload.run.map(({ callId }) => callId));
    this.#open = this.#open.map((one) => (admitted.has(one.call.callId) ? { ...one, isAdmitted: true } : one));
    for (const { callId, reason } of payload.refused) this.#result(callId, reason, true);
  }

  /** Steering that the delegate received applies to this run too. */
  #handedBack({ callId, outcome, answer, steering = [] }: EventOf<'child.settled'>['payload']): void {
    if (callId === undefined) return;
    this.#result(callId, handedBack(outcome, answer), outcome.ending !== 'success');
    this.#unheard.push(...steering);
  }

  #changedBy(callId: string): string | null {
    const one = this.#open.find(({ call }) => call.callId === callId);
    return one ? changedBy(one.call.tool, one.call.arguments) : null;
  }

  /** The question that is asked again has it; else the next one, after the results of the calls before it. */
  #madeAgain(remade: Remade): void {
    const text = remadeNotice(remade, this.#work.lose(remade));
    if (this.#isAsking) this.#say({ role: 'user', text });
    else this.#unheard.push(text);
  }

  #result(callId: string, output: string, failed: boolean): void {
    this.#open = this.#open.map((one) =>
      one.call.callId === callId ? { ...one, result: resultOf(one.call, output, failed) } : one,
    );
  }

  #say(message: Message): void {
    this.#close();
    this.#messages.push(message);
  }

  #close(): void {
    for (const { call, isAdmitted, result } of this.#open) {
      this.#messages.push(result ?? resultOf(call, isAdmitted ? interrupted(GIVEN_UP) : NOT_RUN, true));
    }
    this.#open = [];
  }

  /** The task stays, so that what a provider has cached of it does; then the summary, and the newest messages. */
  #compact({ summary, kept }: EventOf<'context.compacted'>['payload']): void {
    this.#close();
    const recent = kept && kept.messages > 0 ? this.#messages.slice(-kept.messages) : [];
    // A notice may have come since they were counted: a result without its call is refused by providers.
    while (recent[0]?.role === 'tool') recent.shift();
    const task = this.#task ? [this.#task] : [];
    this.#messages.splice(0, this.#messages.length, ...task, { role: 'user', text: summary }, ...recent);
  }
}

/** The result of delegated work, as a message to the delegating model. */
function handedBack(outcome: Outcome, answer: string): string {
  if (outcome.ending === 'success')
    return answer === '' ? 'It is done; nothing was said about it.' : head(answer, MAX_DELEGATE_ANSWER_CHARS);
  const why = sentinelOf(outcome)?.text ?? (outcome.ending === 'abort' ? abortText(outcome) : outcome.ending);
  const said = answer === '' ? '' : ` What was said last: ${head(answer, MAX_DELEGATE_ANSWER_CHARS)}`;
  return `${sentence(`not finished: ${why}`)} What it has done to the files until then is done.${said}`;
}

function abortText({ cause, fault }: Extract<Outcome, { ending: 'abort' }>): string {
  if (fault) return fault.message;
  return cause === 'user' ? 'a person stopped it' : `it was stopped by ${cause}`;
}

const NOT_RUN = 'not run: the work was stopped before it started';
const GIVEN_UP = 'it was told to stop, and did not answer in time';

const interrupted = (reason: string) =>
  `${sentence(`interrupted: ${reason}`)} How far it got is unknown: check before you do it again.`;

const resultOf = ({ callId, tool }: MessageCall, output: string, failed: boolean): ToolMessage => ({
  role: 'tool',
  callId,
  tool,
  output,
  failed,
});
