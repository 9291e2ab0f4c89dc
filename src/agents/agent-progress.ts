import { MAX_AGENT_EVENTS_A_STEP, MAX_AGENT_PARTS } from '../../machines/agent-report.ts';
import type { EventOf } from '../../machines/events.ts';
import { head } from '../text/excerpt.ts';
import type { AgentEvent } from './agent-port.ts';

/** The shortest time between two events, and what each event adds to that: a step of hours does not run out of them. */
const PACE_MS = 1_000;
const SLOWER_MS = 100;
/** The most that the events of one attempt take: beyond it only a session is told. */
const MAX_BYTES = 1_024 * 1_024;
const MAX_SAID_CHARS = 2_000;
const MAX_TITLE_CHARS = 300;

type Payload = EventOf<'agent.worked'>['payload'];
type Call = NonNullable<Payload['calls']>[number];
type Permission = NonNullable<Payload['permissions']>[number];

/**
 * Gathers what an agent does, and makes events of it: at once where none was made for a while, else together with what
 * follows. A crash loses what was not told, which is at most that pause.
 */
export class AgentProgress {
  /** Events of the step, with those of earlier attempts. */
  #told: number;
  #toldAt = -Infinity;
  #bytes = 0;
  #session: Payload['session'];
  readonly #said: string[] = [];
  #saying = '';
  readonly #calls = new Map<string, Call>();
  #permissions: Permission[] = [];
  #plan: Payload['plan'];
  #leftOut = 0;

  constructor(told: number) {
    this.#told = told;
  }

  take(event: AgentEvent): void {
    switch (event.kind) {
      case 'session':
        this.#session = { id: event.id, ...(event.agent === null ? {} : { product: event.agent }) };
        return;
      case 'message':
        // What follows the part that is kept is counted by nothing: the whole message is in the report.
        if (this.#saying.length < MAX_SAID_CHARS) this.#saying = head(this.#saying + event.text, MAX_SAID_CHARS);
        return;
      case 'plan':
        this.#plan = event.steps
          .slice(0, MAX_AGENT_PARTS)
          .map(({ text, status }) => ({ text: head(text, MAX_TITLE_CHARS), status }));
        return;
      case 'call': {
        this.#endMessage();
        const { call, title, kind, status } = event.reported;
        this.#calls.delete(call);
        this.#calls.set(call, { call, title: head(title, MAX_TITLE_CHARS), kind, status });
        const [oldest] = this.#calls.size > MAX_AGENT_PARTS ? this.#calls.keys() : [];
        if (oldest !== undefined && this.#calls.delete(oldest)) this.#leftOut += 1;
        return;
      }
      case 'permission': {
        const { question, answer } = event;
        const { call, title, kind } = question;
        this.#permissions.push({ call, title: head(title, MAX_TITLE_CHARS), kind, answer });
        if (this.#permissions.length > MAX_AGENT_PARTS && this.#permissions.shift()) this.#leftOut += 1;
        return;
      }
      default:
    }
  }

  /** Returns the time until what is gathered may be told, in milliseconds. Null: there is nothing to tell. */
  wait(now: number): number | null {
    if (this.#isEmpty() || this.#told >= MAX_AGENT_EVENTS_A_STEP) return null;
    if (this.#bytes >= MAX_BYTES && !this.#session) return null;
    return Math.max(0, this.#toldAt + PACE_MS + SLOWER_MS * this.#told - now);
  }

  /** Tells what is gathered, if there is any and not too much was told. `isLast`: a message has ended, too. */
  *tell(now: number, isLast = false): Generator<EventOf<'agent.worked'>> {
    if (isLast) this.#endMessage();
    if (this.wait(now) === null) return;
    const payload = this.#payload();
    this.#told += 1;
    this.#toldAt = now;
    this.#bytes += JSON.stringify(payload).length;
    this.#said.length = 0;
    this.#calls.clear();
    this.#permissions = [];
    this.#session = undefined;
    this.#plan = undefined;
    this.#leftOut = 0;
    yield { type: 'agent.worked', payload };
  }

  #payload(): Payload {
    if (this.#bytes >= MAX_BYTES) return { session: this.#session };
    return {
      ...(this.#session ? { session: this.#session } : {}),
      ...(this.#said.length > 0 ? { said: [...this.#said] } : {}),
      ...(this.#calls.size > 0 ? { calls: [...this.#calls.values()] } : {}),
      ...(this.#permissions.length > 0 ? { permissions: this.#permissions } : {}),
      ...(this.#plan ? { plan: this.#plan } : {}),
      ...(this.#leftOut > 0 ? { leftOut: this.#leftOut } : {}),
    };
  }

  #isEmpty(): boolean {
    const gathered = this.#said.length + this.#calls.size + this.#permissions.length;
    return gathered === 0 && !this.#session && !this.#plan;
  }

  #endMessage(): void {
    if (this.#saying.trim() !== '') this.#said.push(this.#saying);
    if (this.#said.length > MAX_AGENT_PARTS && this.#said.shift() !== undefined) this.#leftOut += 1;
    this.#saying = '';
  }
}
