import { type AgentReport, MAX_REPORTED } from '../../machines/agent-report.ts';
import type { Usage } from '../../machines/events.ts';
import { BoundedText } from '../actors/bound-text.ts';
import { NANO_USD_PER_USD } from '../text/money.ts';
import type { AgentEvent, ReportedCall } from './agent-port.ts';

/** The most that is kept of one message. */
const MAX_MESSAGE_BYTES = 256 * 1_024;

type Permission = AgentReport['permissions'][number];

/** Gathers what an agent says that it does, within bounds. */
export class AgentRecord {
  readonly #name: string;
  readonly #calls = new Map<string, ReportedCall>();
  readonly #permissions: Permission[] = [];
  #leftOut = 0;
  #session: { readonly id: string; readonly agent: string | null } | null = null;
  #plan: AgentReport['plan'];
  #usage: Usage | null = null;
  #metered: { readonly usage: Usage; readonly calls: number } | null = null;
  /** The newest message with a text, and the one that is being said. */
  #said = '';
  #saying = new BoundedText(MAX_MESSAGE_BYTES);

  constructor(name: string) {
    this.#name = name;
  }

  take(event: AgentEvent): void {
    switch (event.kind) {
      case 'session':
        this.#session = event;
        return;
      case 'message':
        this.#saying.add(event.text);
        return;
      case 'call':
        // What follows a call is another message.
        if (!this.#calls.has(event.reported.call)) this.#endMessage();
        this.#calls.set(event.reported.call, event.reported);
        this.#forgetOldest();
        return;
      case 'permission':
        this.#permissions.push(permissionOf(event));
        if (this.#permissions.length > MAX_REPORTED) {
          this.#permissions.shift();
          this.#leftOut += 1;
        }
        return;
      case 'plan':
        this.#plan = event.steps.slice(0, MAX_REPORTED).map(({ text, status }) => ({ text, status }));
        return;
      case 'usage':
        this.#usage = usageOf(event.usage);
        return;
      default:
    }
  }

  /** What a meter has counted of its calls: it counts before what the agent reports. */
  meter(usage: Usage, calls: number): void {
    this.#metered = { usage, calls };
  }

  /** The last message of the agent. */
  text(): string {
    this.#endMessage();
    return this.#said;
  }

  usage(): Usage {
    return this.#metered?.usage ?? this.#usage ?? { inputTokens: 0, outputTokens: 0 };
  }

  report(stop: string, isIdle: boolean): AgentReport {
    return {
      name: this.#name,
      ...(this.#session?.agent ? { product: this.#session.agent } : {}),
      ...(this.#session ? { session: this.#session.id } : {}),
      stop,
      calls: [...this.#calls.values()].map((call) => (stop === 'stopped' ? call : orInterrupted(call))),
      permissions: [...this.#permissions],
      ...(this.#leftOut > 0 ? { leftOut: this.#leftOut } : {}),
      ...(this.#plan ? { plan: this.#plan } : {}),
      ...this.#counted(),
      ...(isIdle ? { idle: true } : {}),
    };
  }

  #counted(): Pick<AgentReport, 'usage' | 'requests' | 'reported'> {
    if (!this.#metered) return { usage: this.#usage ? 'reported' : 'unknown' };
    const { calls: requests } = this.#metered;
    if (!this.#usage) return { usage: 'metered', requests };
    const { inputTokens, outputTokens } = this.#usage;
    return { usage: 'metered', requests, reported: { inputTokens, outputTokens } };
  }

  #endMessage(): void {
    if (this.#saying.totalBytes === 0) return;
    const text = this.#saying.toString();
    if (text.trim() !== '') this.#said = text;
    this.#saying = new BoundedText(MAX_MESSAGE_BYTES);
  }

  #forgetOldest(): void {
    const [oldest] = this.#calls.size > MAX_REPORTED ? this.#calls.keys() : [];
    if (oldest === undefined) return;
    this.#calls.delete(oldest);
    this.#leftOut += 1;
  }
}

/** A call that had no end when its agent was ended. */
const orInterrupted = (call: ReportedCall): AgentReport['calls'][number] =>
  call.status === 'completed' || call.status === 'failed' ? call : { ...call, status: 'interrupted' };

const permissionOf = ({ question, answer }: Extract<AgentEvent, { kind: 'permission' }>): Permission => ({
  call: question.call,
  title: question.title,
  kind: question.kind,
  answer,
});

const usageOf = ({ inputTokens, outputTokens, costUsd }: Extract<AgentEvent, { kind: 'usage' }>['usage']): Usage => ({
  inputTokens,
  outputTokens,
  ...(costUsd === null ? {} : { cost: { nanoUsd: Math.round(costUsd * NANO_USD_PER_USD) } }),
});
