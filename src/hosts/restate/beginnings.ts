import type { LoopEvent } from '../../../machines/events.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { interruption } from '../../kernel/run-message.ts';
import { specOf } from '../../kernel/loop-definition.ts';
import type { Outstanding } from '../../kernel/outstanding-effects.ts';
import { timer } from '../../loops/shared/effects/start-timer.ts';
import type { HostedRun, HostedTree, HostedTreeParts } from './tree-on-host.ts';
import { needsMark, perform, type Performed } from './perform.ts';
import type { RestatePromise } from './sdk.ts';

/** An effect that is an open entry of the journal. */
export interface Working {
  readonly run: string;
  readonly effect: string;
  readonly result: RestatePromise<Performed>;
  readonly controller: AbortController;
  /** Restate waits for it, and no process does. */
  readonly isTimer: boolean;
}

const NOT_STARTED = 'it was told to stop while it was queued: it never started, and has done nothing';
const STOPPING = 'the run it belongs to is stopping';

/** Begins what the states of a tree ask for, each effect once in an invocation, and keeps what works. */
export class Beginnings {
  readonly working = new Map<string, Working>();
  readonly #parts: HostedTreeParts;
  readonly #tree: HostedTree;
  /** Effects that were begun here, or that nothing here answers. */
  readonly #seen = new Set<string>();

  constructor(parts: HostedTreeParts, tree: HostedTree) {
    this.#parts = parts;
    this.#tree = tree;
  }

  /** Begins an effect, where it has to. Tells whether a run has changed by it. */
  async begin(run: HostedRun, one: Outstanding): Promise<boolean> {
    const name = `${run.id}/${one.effect}`;
    const spec = specOf(one, run.scope.loop);
    if (one.queued && !one.told) return false;
    if (one.told && spec.class === 'child') return this.#once(`stop ${name}`, () => this.#stopChild(run, one));
    return this.#once(name, () => {
      if (one.told) return this.#endQueued(run, one);
      if (spec.asksPerson) return false;
      if (spec === timer) return this.#startTimer(run, one);
      return spec.class === 'child' ? this.#startChild(run, one) : this.#startEffect(run, one);
    });
  }

  /** The effects of a run that were begun here. */
  begunOf(run: string): ReadonlySet<string> {
    const prefix = `${run}/`;
    return new Set([...this.#seen].flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
  }

  /** Stops what is no longer outstanding, or was told to stop. */
  stop(): void {
    for (const { run, effect, controller } of this.working.values()) {
      const one = this.#tree.runs.get(run)?.state.outstanding.find((candidate) => candidate.effect === effect);
      if (!one || one.told) controller.abort('abort');
    }
  }

  async #once(name: string, begin: () => Promise<boolean> | boolean): Promise<boolean> {
    if (this.#seen.has(name)) return false;
    this.#seen.add(name);
    return begin();
  }

  /** It was told to stop while it was queued. */
  async #endQueued({ id, scope }: HostedRun, one: Outstanding): Promise<boolean> {
    const event = one.queued ? interruption(one, NOT_STARTED, null, scope.loop) : null;
    return event !== null && this.#taken(id, event, one.effect);
  }

  async #startEffect(run: HostedRun, one: Outstanding): Promise<boolean> {
    const { journal } = this.#parts;
    const { id, scope, state } = run;
    const name = `${id}/${one.effect}`;
    const execution = executionOf(run, one);
    if (execution.kind === 'child') return false;
    const begun = needsMark(execution, one, scope) ? await journal.begins(name) : journal.attempt;
    const controller = new AbortController();
    const { signal } = controller;
    const result = journal.run(`${one.actor} ${name}`, async () => {
      // A later attempt takes it for lost: it must not go on beside that one.
      const stop = () => controller.abort('abort');
      journal.over.addEventListener('abort', stop, { once: true });
      const isLost = begun !== journal.attempt;
      return perform({ scope, state, one, execution, signal, isLost }).finally(() =>
        journal.over.removeEventListener('abort', stop),
      );
    });
    this.working.set(name, { run: id, effect: one.effect, result, controller, isTimer: false });
    return false;
  }

  /** A timer is one of Restate: it outlives this process. */
  async #startTimer({ id, state }: HostedRun, { effect, input }: Outstanding): Promise<boolean> {
    const { journal } = this.#parts;
    const name = input['timer'] as Extract<LoopEvent, { type: 'timer.fired' }>['payload']['timer'];
    const dueAt = lifeOf(state).due[name];
    if (dueAt === null) return false;
    const events: readonly LoopEvent[] = [{ type: 'timer.fired', payload: { timer: name } }];
    const now = await journal.now();
    const result = journal.sleep(Date.parse(dueAt) - now).map(() => ({ run: id, effect, events, fault: null }));
    this.working.set(`${id}/${effect}`, { run: id, effect, result, controller: new AbortController(), isTimer: true });
    return false;
  }

  async #startChild(run: HostedRun, one: Outstanding): Promise<boolean> {
    const { host, journal } = this.#parts;
    const name = `${run.id}/${one.effect}`;
    const execution = executionOf(run, one);
    if (execution.kind !== 'child' || this.#childOf(name)) return false;
    const known = await journal.run(`child of ${name}`, () => host.log.findByParentEffect(name));
    if (known) {
      await this.#tree.enter(known);
      return true;
    }
    const call = { id: name, attempt: one.attempt, signal: new AbortController().signal, delta: () => {} };
    const asked = await journal.run(`settings of ${name}`, () => execution.settings(call));
    if (asked.kind === 'refused') return this.#taken(run.id, asked.event, one.effect);
    await this.#tree.begin(journal.newId(), asked.settings, { parent: run.id, parentEffect: name });
    return true;
  }

  async #stopChild(run: HostedRun, one: Outstanding): Promise<boolean> {
    const child = this.#childOf(`${run.id}/${one.effect}`);
    if (child)
      return this.#taken(child.id, { type: 'abort.requested', payload: { cause: 'parent', reason: STOPPING } }, null);
    const execution = executionOf(run, one);
    const event = execution.kind === 'child' ? execution.notStarted : null;
    return event !== null && this.#taken(run.id, event, one.effect);
  }

  #childOf(name: string): HostedRun | undefined {
    return this.#tree.members.find(({ parentEffect }) => parentEffect === name);
  }

  async #taken(run: string, event: LoopEvent, effect: string | null): Promise<boolean> {
    return (await this.#tree.take(run, event, effect)) === null;
  }
}

const executionOf = ({ id, scope, state }: HostedRun, one: Outstanding) =>
  scope.handlers.execute(one, { run: id, settings: scope.settings, state, at: state.at });
