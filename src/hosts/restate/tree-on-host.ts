import type { LoopEvent } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { hasEnded, type RunState } from '../../kernel/fold.ts';
import { definitionOf } from '../../kernel/loop-definition.ts';
import { type Batch, opening, react, record, type RunScope } from '../../kernel/react.ts';
import type { Refusal } from '../../kernel/run-message.ts';
import { load } from '../../runtime/load-run.ts';
import { newRun } from '../../runtime/run-scopes.ts';
import type { AppHost } from '../../app/app-host.ts';
import { localHandlers } from '../local/local-handlers.ts';
import type { HeldTrees } from './tree-holds.ts';
import type { Journal } from './journal.ts';
import { keepFacts, type Standing, treeIn } from './fact-list.ts';

/** A run of a tree, as far as it has come. */
export interface HostedRun {
  readonly id: string;
  readonly parent: string | null;
  readonly parentEffect: string | null;
  readonly scope: RunScope;
  readonly idleSince: string;
  state: RunState;
}

export interface HostedTreeParts {
  readonly host: AppHost;
  readonly held: HeldTrees;
  readonly journal: Journal;
  readonly root: string;
  /** Entries of the journal, beyond which the tree continues in another invocation. */
  readonly mostEntries: number;
}

interface How {
  readonly entry?: number;
  readonly parentEffect?: string;
}

/**
 * The runs of a tree, decided by the kernel and kept in the log. The log is the authority for facts: where another
 * process has recorded some, the tree is folded again from there. A fold up to a version is the same whenever it is
 * done, so only the versions are journaled.
 */
export class HostedTree {
  readonly runs = new Map<string, HostedRun>();
  readonly #parts: HostedTreeParts;

  constructor(parts: HostedTreeParts) {
    this.#parts = parts;
  }

  /** Those that have not left, as they are now: the oldest first. */
  get members(): readonly HostedRun[] {
    return [...this.runs.values()];
  }

  get root(): HostedRun {
    const root = this.runs.get(this.#parts.root);
    if (!root) throw new Error(`run ${this.#parts.root} is not folded`);
    return root;
  }

  /** Opens a new run, of which the first facts are kept. */
  async begin(id: string, asked: RunSettings, how: How & { readonly parent?: string } = {}): Promise<HostedRun> {
    const { host, journal } = this.#parts;
    const at = await journal.now();
    const { scope, state, started } = newRun(id, asked, {
      loops: host.definitions,
      redactFor: host.redactFor,
      makeHandlers: (run, settings, loop) => localHandlers(run, settings, loop, host.services),
      now: () => at,
    });
    const { parent = null, parentEffect = null } = how;
    const run: HostedRun = { id, parent, parentEffect, scope, state, idleSince: state.at };
    this.runs.set(id, run);
    await this.#keep(run, opening(scope, state, record(started, 1, state.at)), 0, how);
    return run;
  }

  /** Tells a run something. Null: it has taken it; else why it has not. */
  async take(id: string, event: LoopEvent, causation: string | null, entry?: number): Promise<Refusal | null> {
    for (;;) {
      const run = this.runs.get(id);
      if (!run) return 'ended';
      const at = new Date(await this.#parts.journal.now(Date.parse(run.state.at))).toISOString();
      const batch = react(run.scope, run.state, { event, causation }, at);
      if (typeof batch === 'string') return batch;
      const isKept = await this.#keep(run, batch, run.state.version, entry === undefined ? {} : { entry });
      // What others have recorded counts, and the message is judged anew.
      if (isKept) return null;
    }
  }

  /** Folds all open runs from the log. False: the log does not know the tree. */
  async look(): Promise<boolean> {
    const { host, journal, root } = this.#parts;
    const tree = await journal.run('look', () => treeIn(host.log, root));
    await this.#fold(tree);
    return tree.length > 0;
  }

  /** Adds a run as the log has it, such as a child that had ended before its parent was told. */
  async enter(standing: Standing): Promise<void> {
    this.runs.set(standing.run, await this.#loaded(standing));
  }

  async #keep(run: HostedRun, batch: Batch, expectedVersion: number, { entry, parentEffect }: How): Promise<boolean> {
    const { host, held, journal, root } = this.#parts;
    const { settings } = run.scope;
    const kept = await journal.run(`keep ${run.id}/${expectedVersion + 1}`, async () => {
      const epoch = await held.epochOf(root);
      return keepFacts(host.log, root, {
        log: host.log,
        run: run.id,
        epoch,
        expectedVersion,
        batch,
        settings,
        entry,
        parentEffect,
      }).catch((error: unknown) => {
        held.forget(root);
        throw error;
      });
    });
    if (kept.kind === 'kept') run.state = batch.state;
    else await this.#fold(kept.tree);
    return kept.kind === 'kept';
  }

  async #fold(tree: readonly Standing[]): Promise<void> {
    this.runs.clear();
    for (const one of tree) {
      const isRoot = one.run === this.#parts.root;
      if (isRoot || one.closed === null) this.runs.set(one.run, await this.#loaded(one));
    }
  }

  async #loaded({ run, version, parentEffect }: Standing): Promise<HostedRun> {
    const { host } = this.#parts;
    const { log, definitions, services } = host;
    // What was recorded since is read by a later look.
    const until = { ...log, pages: (of: string) => log.pages(of, { to: version }) };
    const loaded = await load(
      until,
      run,
      (id, settings, loop) => localHandlers(id, settings, loop, services),
      definitions,
    );
    if (loaded.kind !== 'loaded') throw new Error(`run ${run} cannot be folded: ${loaded.kind}`);
    const { state, settings, handlers, idleSince } = loaded;
    const loop = definitionOf(state.entry.id, definitions);
    const scope = { run, settings, loop, handlers, redact: host.redactFor(settings) };
    const parent = settings.parent?.run ?? null;
    return { id: run, parent, parentEffect, scope, state, idleSince };
  }
}

export const isOver = ({ state }: Pick<HostedRun, 'state'>): boolean => hasEnded(state);
