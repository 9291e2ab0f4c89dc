import type { AgentReport } from '../../../machines/agent-report.ts';
import type { EventOf, TurnEvent } from '../../../machines/events.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';

type Worked = EventOf<'agent.worked'>['payload'];
type Call = AgentReport['calls'][number];

/** Statuses of calls that are over. */
const OVER: ReadonlySet<string> = new Set(['completed', 'failed']);
/** The newest calls and messages that are kept of one step. */
const MAX_KEPT = 200;

/** What an agent of others has told in the step that is under way, as its log has it. */
export class AgentPast {
  /** Its newest session. Null: none was told. */
  session: string | null = null;
  /** The newest messages, oldest first. */
  said: readonly string[] = [];
  plan: NonNullable<Worked['plan']> = [];
  /** It was told to stop, or lost with its process, and has not worked since. */
  isInterrupted = false;
  #calls = new Map<string, Call>();

  observe({ type, payload }: Fact | TurnEvent): void {
    switch (type) {
      case 'step.started':
        this.#forget();
        return;
      case 'agent.worked':
        this.#note(payload);
        return;
      case 'model.interrupted':
        this.isInterrupted = payload.cause === undefined;
        // A cancelled call is reported as completed by some agents: nothing that it says of it then is believed.
        this.#calls = new Map(this.calls().map((call) => [call.call, orInterrupted(call)]));
        return;
      case 'model.limited':
        this.isInterrupted = this.session !== null;
        return;
      case 'model.completed':
        this.session = payload.agent?.session ?? null;
        this.#forget();
        return;
      default:
    }
  }

  /** Its newest calls, in the order in which they began. */
  calls(): readonly Call[] {
    return [...this.#calls.values()];
  }

  /** The calls whose outcome is unknown. */
  interrupted(): readonly Call[] {
    return this.calls().filter(({ status }) => !OVER.has(status));
  }

  #note({ session, said = [], calls = [], plan }: Worked): void {
    if (session) this.session = session.id;
    this.isInterrupted = false;
    this.said = [...this.said, ...said].slice(-MAX_KEPT);
    for (const call of calls) this.#calls.set(call.call, call);
    for (const call of [...this.#calls.keys()].slice(0, -MAX_KEPT)) this.#calls.delete(call);
    if (plan) this.plan = plan;
  }

  #forget(): void {
    this.said = [];
    this.plan = [];
    this.isInterrupted = false;
    this.#calls = new Map();
  }
}

const orInterrupted = (call: Call): Call => (OVER.has(call.status) ? call : { ...call, status: 'interrupted' });
