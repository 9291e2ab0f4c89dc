import type { Head } from '../chain.ts';
import type { Client } from './driver.ts';

/** More than this are forgotten together: a process works on few runs at a time. */
const MAX_KNOWN_RUNS = 1_024;

/**
 * Where the runs stand that this process appends to, so that the next append can be chained without asking. What is
 * wrong here the server finds out: it compares version and hash.
 */
export class KnownHeads {
  readonly #heads = new Map<string, Head>();

  of(run: string): Head | null {
    return this.#heads.get(run) ?? null;
  }

  isAt(run: string, version: number): boolean {
    return this.#heads.get(run)?.version === version;
  }

  keep(run: string, head: Head): void {
    if (this.#heads.size >= MAX_KNOWN_RUNS) this.forget();
    this.#heads.set(run, head);
  }

  drop(run: string): void {
    this.#heads.delete(run);
  }

  forget(): void {
    this.#heads.clear();
  }

  /** Asks for the heads of runs. */
  async learn(client: Client, runs: readonly string[]): Promise<void> {
    if (runs.length === 0) return;
    const { rows } = await client.query<Head & { readonly run: string }>({
      name: 'heads',
      text: `SELECT run, version, encode(hash, 'hex') AS hash FROM runs WHERE run = ANY($1)`,
      values: [runs],
    });
    for (const { run, version, hash } of rows) this.keep(run, { version, hash });
  }
}
