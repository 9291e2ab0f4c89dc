import {
  asItIs,
  type Batch,
  decidingHandlers,
  fold,
  hasEnded,
  interruption,
  lifeOf,
  loopNamed,
  open,
  opening,
  type Outstanding,
  react,
  record,
  type RunMessage,
  type RunScope,
  type RunState,
  shippedLoops,
  specOf,
} from 'loopfold/kernel';
import { askModel } from './ask-model.ts';
import { EventTable, type ObjectStorage } from './event-table.ts';
import { settingsFor } from './settings-for.ts';
import { TOOLS } from './tools.ts';

// A host of turns as a Durable Object, one object a run: its SQLite is the log, its alarm the timers, and the kernel
// decides.

type Event = RunMessage['event'];
type Scope = RunScope<ReturnType<typeof decidingHandlers>>;

/** The time after which an object that was lost looks after its effects again, in milliseconds. */
const LOOK_AGAIN_MS = 30_000;
const LOOP = loopNamed('turn', shippedLoops);

/** Who answers a call: a person, or a tool of this host. */
const callKind = ({ tool }: { readonly tool: string }) => (tool === 'ask_user' ? 'person' : 'tool');

/** A service that the object is bound to. */
interface Service {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

export interface Environment {
  /** Answers `{ text, calls: [{ tool, arguments }], usage }` to `{ messages, tools }`. */
  readonly MODEL: Service;
  /** Takes what the tool `post` sends. */
  readonly CHANNEL: Service;
}

interface ObjectContext {
  readonly id: object;
  readonly storage: ObjectStorage;
  /** Work that goes on behind an answer. */
  waitUntil(work: Promise<unknown>): void;
}

/** What a request says. */
interface Said {
  readonly prompt?: string;
  readonly maxTimeMs?: number;
  readonly answer?: string;
  readonly text?: string;
}

export class LoopObject {
  readonly #context: ObjectContext;
  readonly #run: string;
  readonly #table: EventTable;
  readonly #environment: Environment;
  /** Effects that this instance works on: one that was lost with another is not among them. */
  readonly #working = new Map<string, AbortController>();
  #scope: Scope | null = null;
  #state: RunState | null = null;

  constructor(context: ObjectContext, environment: Environment) {
    this.#context = context;
    this.#run = String(context.id);
    this.#environment = environment;
    this.#table = new EventTable(context.storage, this.#run);
    this.#load();
    this.#work();
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/events') return Response.json(this.#table.stored());
    const said = (await request.json()) as Said;
    switch (pathname) {
      case '/start':
        return told(this.#state ? 'started' : this.#start(said));
      case '/answer':
        return told(this.#answer(said.answer ?? ''));
      case '/steer':
        return told(this.#tell({ type: 'run.steered', payload: { text: said.text ?? '' } }, null));
      case '/abort':
        return told(this.#tell({ type: 'abort.requested', payload: { cause: 'user', reason: null } }, null));
      default:
        return new Response(null, { status: 404 });
    }
  }

  /** Timers that are due, and effects that were lost with an instance. */
  alarm(): void {
    for (const { actor, effect, input } of this.#state?.outstanding ?? []) {
      if (actor !== 'timer' || this.#dueOf(input) > Date.now()) continue;
      this.#tell({ type: 'timer.fired', payload: { timer: timerOf(input) } }, effect);
    }
    this.#work();
  }

  /** Folds what is stored. The handlers remember each event: decisions go by what they have seen. */
  #load(): void {
    const [first, ...rest] = this.#table.events();
    if (first?.type !== 'run.started') return;
    const opened = open(first, shippedLoops);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    const scope = this.#scopeOf(first.payload.settings);
    let { state } = opened;
    scope.handlers.observe(first, state);
    for (const event of rest) {
      state = fold(state, event);
      scope.handlers.observe(event, state);
    }
    this.#scope = scope;
    this.#state = state;
  }

  #scopeOf(settings: Scope['settings']): Scope {
    const handlers = decidingHandlers(this.#run, settings, LOOP, { callKind });
    return { run: this.#run, settings, loop: LOOP, handlers, redact: asItIs };
  }

  #start({ prompt = '', maxTimeMs }: Said): null {
    const settings = settingsFor(prompt, maxTimeMs);
    const payload = { machine: LOOP.id, settings } as const;
    const first = record({ type: 'run.started', payload } as const, 1, new Date().toISOString());
    const opened = open(first, shippedLoops);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    this.#scope = this.#scopeOf(settings);
    return this.#commit(opening(this.#scope, opened.state, first));
  }

  #answer(answer: string): string | null {
    const asked = this.#state?.outstanding.find((one) => specOf(one, LOOP).asksPerson);
    if (!asked) return 'unexpected';
    const callId = String(asked.input['callId']);
    return this.#tell({ type: 'person.answered', payload: { callId, answer } }, asked.effect);
  }

  /** Tells the run something. Null: it has taken it; else why not. */
  #tell(event: Event, causation: string | null): string | null {
    if (!this.#scope || !this.#state) return 'unknown';
    // The clock may go back; times of events do not.
    const at = new Date(Math.max(Date.now(), Date.parse(this.#state.at))).toISOString();
    const batch = react(this.#scope, this.#state, { event, causation }, at);
    return typeof batch === 'string' ? batch : this.#commit(batch);
  }

  /** Events that belong together are stored in one transaction. Only then do effects start. */
  #commit(batch: Batch): null {
    this.#table.append(batch);
    this.#state = batch.state;
    this.#work();
    return null;
  }

  #work(): void {
    if (!this.#state || hasEnded(this.#state)) return;
    const { outstanding } = this.#state;
    const timers = outstanding.filter(({ actor }) => actor === 'timer').map(({ input }) => this.#dueOf(input));
    this.#table.wakeAt(Math.min(Date.now() + LOOK_AGAIN_MS, ...timers));
    for (const one of outstanding) {
      const controller = this.#working.get(one.effect);
      const isBegun = controller !== undefined || one.actor === 'timer' || specOf(one, LOOP).asksPerson;
      if (one.told) controller?.abort();
      if (!isBegun || (one.told && !controller)) this.#context.waitUntil(this.#perform(one));
    }
  }

  async #perform(one: Outstanding): Promise<void> {
    const controller = new AbortController();
    this.#working.set(one.effect, controller);
    const event = await this.#resultOf(one, controller.signal).catch((error: unknown) =>
      controller.signal.aborted ? this.#lost(one, 'it was told to stop') : this.#failed(one, String(error)),
    );
    this.#working.delete(one.effect);
    if (event) this.#tell(event, one.effect);
  }

  async #resultOf(one: Outstanding, signal: AbortSignal): Promise<Event | null> {
    if (one.told) return this.#lost(one, 'it was told to stop');
    const facts = this.#table.events();
    if (one.actor === 'streamModel') return askModel(this.#environment.MODEL, facts, signal);
    if (one.actor !== 'runTool') throw new Error(`this host has no ${one.actor}`);
    const callId = String(one.input['callId']);
    const call = facts.flatMap((fact) => (fact.type === 'model.completed' ? fact.payload.calls : []));
    const { tool = '', arguments: given } = call.find((made) => made.callId === callId) ?? {};
    const { run, isRepeatable = false } = TOOLS[tool] ?? {};
    // Begun before, by an instance that was lost: how far it came is unknown.
    if (!this.#table.begins(one.effect) && !isRepeatable) return this.#lost(one, 'the object was lost meanwhile');
    if (!run) return { type: 'tool.failed', payload: { callId, fault: { code: 'unknown_tool', message: tool } } };
    return { type: 'tool.completed', payload: { callId, output: await run(given, this.#environment, signal) } };
  }

  #failed(one: Outstanding, message: string): Event | null {
    const fault = { code: 'error', message };
    if (one.actor === 'runTool')
      return { type: 'tool.failed', payload: { callId: String(one.input['callId']), fault } };
    if (one.actor !== 'streamModel') return this.#lost(one, message);
    return { type: 'model.failed', payload: { fault, usage: { inputTokens: 0, outputTokens: 0 } } };
  }

  #lost(one: Outstanding, reason: string): Event | null {
    return interruption(one, reason, this.#state && lifeOf(this.#state), LOOP);
  }

  #dueOf(input: Outstanding['input']): number {
    const due = this.#state && lifeOf(this.#state).due[timerOf(input)];
    return due ? Date.parse(due) : Number.POSITIVE_INFINITY;
  }
}

const timerOf = (input: Outstanding['input']) =>
  input['timer'] as Extract<Event, { type: 'timer.fired' }>['payload']['timer'];

const told = (refused: string | null): Response => Response.json({ refused }, { status: refused === null ? 202 : 409 });
