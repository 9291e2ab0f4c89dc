import type { Log } from '../../log/log.ts';
import { openStore } from '../../log/open-store.ts';

/** Logs that are read beside that of the process. Many worktrees may name the same one: each is opened once. */
export class OtherLogs {
  readonly #opened = new Map<string, Promise<Log>>();

  /** Opens the log in a file, to read it. Rejects with a `LogError` where it cannot be read. */
  open(path: string): Promise<Log> {
    const opened = this.#opened.get(path) ?? openStore({ path }, 'read');
    this.#opened.set(path, opened);
    return opened;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  }
}

/** Closes them when the work is done. */
export async function withOtherLogs<Result>(work: (others: OtherLogs) => Promise<Result>): Promise<Result> {
  const others = new OtherLogs();
  return work(others).finally(() => others.close());
}
