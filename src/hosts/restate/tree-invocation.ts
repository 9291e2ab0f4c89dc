import type { InboxEntry } from '../../log/inbox-store.ts';
import { notBegun, pausedPayload, recoveryOf } from '../../runtime/recovery.ts';
import { resumed } from '../../runtime/resume-or-stop.ts';
import type { PausedBy } from '../../runtime/run-end.ts';
import { isWaiting } from '../../runtime/wait-states.ts';
import { Beginnings } from './beginnings.ts';
import { childEvents } from './child-events.ts';
import { deliverMail } from './deliver-mail.ts';
import { HostedTree, type HostedTreeParts, isOver } from './tree-on-host.ts';
import { nextMail } from './mail.ts';
import type { Performed } from './perform.ts';
import type { RestatePromise, RestateSdk } from './sdk.ts';

/** How an invocation has left its tree. `full`: its journal is, and another one continues. */
export type Left = 'ended' | 'waiting' | 'paused' | 'full';

interface Mail {
  readonly mail: InboxEntry | null;
}

/**
 * One invocation of a tree: the kernel decides, effects are entries of the journal, and commands come from the inbox of
 * the log, whichever process has left them there. Everything that it awaits is an entry, or a fold up to a version.
 */
export class Invocation {
  readonly tree: HostedTree;
  readonly #parts: HostedTreeParts;
  readonly #sdk: RestateSdk;
  readonly #beginnings: Beginnings;
  readonly #stopMail = new AbortController();
  #mail: RestatePromise<Mail> | null = null;

  constructor(parts: HostedTreeParts, sdk: RestateSdk) {
    this.#parts = parts;
    this.#sdk = sdk;
    this.tree = new HostedTree(parts);
    this.#beginnings = new Beginnings(parts, this.tree);
  }

  /** Resumes the runs of a tree that another invocation, or another process, has left. */
  async resume(): Promise<void> {
    const { journal } = this.#parts;
    for (const { id, state, idleSince } of this.tree.members) {
      if (isOver({ state })) continue;
      await this.tree.take(id, resumed(idleSince, await journal.now(Date.parse(state.at))), null);
      for (const { effect } of state.outstanding) {
        const run = this.tree.runs.get(id);
        const one = run?.state.outstanding.find((candidate) => candidate.effect === effect);
        if (!run || !one) continue;
        const lost = await journal.run(`recover ${id}/${effect}`, () => recoveryOf(run.scope, state, run.state, one));
        if (lost) await this.tree.take(id, lost, effect);
      }
    }
  }

  /** Works on the tree until it has ended or leaves. */
  async drive(): Promise<Left> {
    for (;;) {
      const { journal, mostEntries } = this.#parts;
      const isFull = journal.entries > mostEntries;
      await this.#follow(isFull);
      const { root } = this.tree;
      if (isOver(root)) return this.#leave('ended');
      if (root.state.paused) return this.#leave('paused');
      if (this.#isWaiting()) {
        await this.#pause('waiting');
        return this.#leave('waiting');
      }
      if (isFull && this.#works.every(({ isTimer }) => isTimer)) {
        await this.#pause('signal');
        return this.#leave('full');
      }
      const won = await this.#next();
      if ('mail' in won) await this.#deliver(won.mail);
      else await this.#answer(won);
    }
  }

  /** Ends the run: its invocation was cancelled from outside. */
  async abort(reason: string): Promise<void> {
    await this.tree.take(this.tree.root.id, { type: 'abort.requested', payload: { cause: 'user', reason } }, null);
  }

  get #works() {
    return [...this.#beginnings.working.values()];
  }

  #isWaiting(): boolean {
    return isWaiting(
      this.tree.members.map(({ id, state, scope, parentEffect }) => ({ id, state, loop: scope.loop, parentEffect })),
    );
  }

  async #next(): Promise<Performed | Mail> {
    const { host, journal, root } = this.#parts;
    this.#mail ??= journal.run('mail', async () => ({ mail: await nextMail(host.log, root, this.#stopMail.signal) }));
    const open: RestatePromise<Performed | Mail>[] = this.#works.map(({ result }) => result);
    const won = await this.#sdk.RestatePromise.race([...open, this.#mail]);
    if ('mail' in won) this.#mail = null;
    else this.#beginnings.working.delete(`${won.run}/${won.effect}`);
    return won;
  }

  /** Makes what works match the states: begins what is outstanding, unless the journal is full, and stops the rest. */
  async #follow(isFull: boolean): Promise<void> {
    for (let isChanged = true; isChanged;) {
      isChanged = await this.#tellParents();
      for (const run of this.tree.members)
        for (const one of run.state.outstanding)
          if (!isFull || one.told) isChanged = (await this.#beginnings.begin(run, one)) || isChanged;
    }
    this.#beginnings.stop();
  }

  /** What children say to their parents: that they have ended, or wait for a person. */
  async #tellParents(): Promise<boolean> {
    let isTold = false;
    for (const { to, event, effect, over } of childEvents(this.tree.runs)) {
      if (over !== null) this.tree.runs.delete(over);
      isTold = (await this.tree.take(to, event, effect)) === null || isTold;
    }
    return isTold;
  }

  async #answer({ run, effect, events, fault }: Performed): Promise<void> {
    for (const event of events) await this.tree.take(run, event, effect);
    if (fault === null) return;
    const { kind, reason } = fault;
    if (kind === 'environment') return this.#pause('environment', reason);
    await this.tree.take(run, { type: 'abort.requested', payload: { cause: 'error', reason } }, null);
  }

  async #deliver(entry: InboxEntry | null): Promise<void> {
    const asked = entry && (await deliverMail(this.#parts, this.tree, entry));
    if (asked) await this.#pause(asked.pausedBy, undefined, entry.id);
  }

  /** Stops what works, and pauses the tree, the deepest run first. */
  async #pause(by: PausedBy, reason?: string, entry?: number): Promise<void> {
    const open = this.#works.filter(({ isTimer }) => !isTimer);
    for (const { controller } of open) controller.abort('pause');
    for (const { result } of open) {
      const { run, effect, events } = await result;
      this.#beginnings.working.delete(`${run}/${effect}`);
      for (const event of events) await this.tree.take(run, event, effect);
    }
    for (const { id, state, parent } of this.tree.members.toReversed()) {
      const payload = pausedPayload(by, true, notBegun(state, this.#beginnings.begunOf(id)), reason);
      await this.tree.take(id, { type: 'run.paused', payload }, null, parent === null ? entry : undefined);
    }
  }

  /** Gives the tree back, so that any process may record what people say. */
  async #leave(left: Left): Promise<Left> {
    const { journal, held, root } = this.#parts;
    this.#stopMail.abort();
    if (this.#mail) await this.#mail;
    for (const { scope } of this.tree.members) void scope.handlers.release?.();
    await journal.run('release', () => held.release(root).then(() => true));
    return left;
  }
}
