import { INBOX_POLL_MS, type InboxStore } from '../log/inbox-store.ts';
import { SharedTimer } from './shared-timer.ts';

/** Tells the trees of this process when another process has left a command for them. */
class InboxPoll {
  readonly #log: InboxStore;
  readonly #timer = new SharedTimer(INBOX_POLL_MS);
  readonly #lookers = new Map<string, () => void>();
  #leave: (() => void) | null = null;
  #isLooking = false;

  constructor(log: InboxStore) {
    this.#log = log;
  }

  watch(root: string, look: () => void): () => void {
    this.#lookers.set(root, look);
    this.#leave ??= this.#timer.join(() => void this.#round());
    return () => {
      if (this.#lookers.get(root) === look) this.#lookers.delete(root);
      if (this.#lookers.size > 0) return;
      this.#leave?.();
      this.#leave = null;
    };
  }

  /** A round that fails is repeated by the next. */
  async #round(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      for (const root of await this.#log.waitingTrees()) this.#lookers.get(root)?.();
    } catch {
      // Whoever reads or writes next gets the error.
    } finally {
      this.#isLooking = false;
    }
  }
}

const polls = new WeakMap<InboxStore, InboxPoll>();

/** Calls `look` whenever commands wait for a tree, until the function that is handed back is called. */
export function watchInbox(log: InboxStore, root: string, look: () => void): () => void {
  const poll = polls.get(log) ?? new InboxPoll(log);
  polls.set(log, poll);
  return poll.watch(root, look);
}
