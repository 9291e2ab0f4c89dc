import type { EventOf, ToolCall, LoopEvent } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopMemory } from '../../kernel/loop-memory.ts';
import { PermissionMemory } from '../../permissions/permission-memory.ts';
import { AgentPast } from './agent-past.ts';
import { countUnanswered, type Unanswered } from './no-answer.ts';
import { UnfitAnswers } from './unfit-answers.ts';
import { WallOpenings } from './wall-openings.ts';
import { learn, UNKNOWN_WINDOW, type Window } from './window.ts';
import type { GivenForm } from '../../../machines/server-question.ts';
import { signatureOf } from '../../detectors/signature.ts';

/** How many calls keep their answers: the newest. */
const MAX_CALLS = 100;

/**
 * What people have answered the servers of tools, folded from the facts of a run. A call that was lost before it had a
 * result keeps its answers: the same call, made again, is not asked about again.
 */
export class ServerAnswers {
  #calls: readonly ToolCall[] = [];
  /** By the signature of a call: the newest last. */
  readonly #answers = new Map<string, readonly GivenForm[]>();

  observe({ type, payload }: LoopEvent): void {
    if (type === 'model.completed') this.#calls = payload.calls;
    if (type === 'server.answered') this.#keep(payload.callId, payload.form);
    if (type === 'tool.completed' || type === 'tool.failed') this.#answers.delete(this.#signature(payload.callId));
  }

  answersTo(call: Pick<ToolCall, 'tool' | 'arguments'>): readonly GivenForm[] {
    return this.#answers.get(signatureOf(call) ?? '') ?? [];
  }

  #keep(callId: string, form: GivenForm): void {
    const signature = this.#signature(callId);
    const earlier = this.#answers.get(signature) ?? [];
    this.#answers.delete(signature);
    this.#answers.set(signature, [...earlier.filter(({ digest }) => digest !== form.digest), form]);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_CALLS && oldest !== undefined) this.#answers.delete(oldest);
  }

  #signature(callId: string): string {
    const call = this.#calls.find((one) => one.callId === callId);
    return (call && signatureOf(call)) ?? '';
  }
}

/** What the judge and the effects of a turn need beside the machine's context. */
export class TurnMemory implements LoopMemory {
  /** The newest answer of the model. */
  answer: EventOf<'model.completed'>['payload'] | null = null;
  /** The version at which an answer was cut off because it repeated itself, until the next step. */
  chant: number | null = null;
  /** The newest answers in a row that were cut off, refused or held back, or that did nothing. */
  unanswered: Unanswered | null = null;
  window: Window = UNKNOWN_WINDOW;
  /** What people have ruled about its calls. */
  readonly permissions = new PermissionMemory();
  /** What people have answered the servers of its tools. */
  readonly servers = new ServerAnswers();
  /** What people have said of places that walls refused to its commands. */
  readonly walls = new WallOpenings();
  /** What an agent of others has told of this step. */
  readonly agent = new AgentPast();
  readonly unfit: UnfitAnswers;
  readonly checks: RunSettings['checks'];

  constructor({ checks = [], answerSchema }: Partial<Pick<RunSettings, 'checks' | 'answerSchema'>> = {}) {
    this.checks = checks;
    this.unfit = new UnfitAnswers(answerSchema);
  }

  observe(fact: Fact): void {
    this.window = learn(this.window, fact);
    this.permissions.observe(fact);
    this.servers.observe(fact);
    this.walls.observe(fact);
    this.unfit.observe(fact);
    this.agent.observe(fact);
    if (fact.type === 'model.completed') {
      this.answer = fact.payload;
      this.unanswered = countUnanswered(this.unanswered, fact.payload);
    }
    // A person has changed what is asked, or lets the turn go on.
    if (fact.type === 'run.steered' || fact.type === 'run.continued') this.unanswered = null;
    if (fact.type === 'step.started') this.chant = null;
    if (fact.type === 'model.interrupted' && fact.payload.cause === 'chant') {
      this.answer = null;
      this.chant = fact.version;
    }
  }
}

/** The call of the model's newest answer that has this id. */
export const requestedCall = (
  { judge }: { readonly judge: { readonly own: LoopMemory } },
  callId: string | undefined,
): ToolCall | undefined => (judge.own as TurnMemory).answer?.calls.find((call) => call.callId === callId);
