import { join } from 'node:path';
import { z } from 'zod';
import { PrivateRecord } from './private-record.ts';
import type { Trusted } from './trust-rules.ts';

/** The files that a user trusts, each with the hash of its content: a changed file is asked about again. */
export class TrustLedger {
  readonly #record: PrivateRecord<string>;

  constructor(userFolder: string) {
    this.#record = new PrivateRecord(join(userFolder, 'trusted.json'), z.record(z.string(), z.string()));
  }

  get path(): string {
    return this.#record.path;
  }

  async knows({ path, sha256 }: Trusted): Promise<boolean> {
    return (await this.#record.entries())[path] === sha256;
  }

  async add({ path, sha256 }: Trusted): Promise<void> {
    await this.#record.update((entries) => ({ ...entries, [path]: sha256 }));
  }
}
