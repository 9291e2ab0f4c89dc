import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Trusted } from './trust-rules.ts';

const Ledger = z.record(z.string(), z.string());
const FILE = 'trusted.json';

/**
 * The files that a user trusts, each with the hash of its content: a changed file is asked about again. Readable by
 * this user alone; a ledger that another user could have written is ignored.
 */
export class TrustLedger {
  readonly path: string;

  constructor(userFolder: string) {
    this.path = join(userFolder, FILE);
  }

  async knows({ path, sha256 }: Trusted): Promise<boolean> {
    return (await this.#entries())[path] === sha256;
  }

  async add({ path, sha256 }: Trusted): Promise<void> {
    const entries = { ...(await this.#entries()), [path]: sha256 };
    const draft = `${this.path}.${randomUUID()}`;
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    try {
      await writeFile(draft, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #entries(): Promise<Readonly<Record<string, string>>> {
    try {
      const { uid, mode } = await stat(this.path);
      if ((process.getuid && uid !== process.getuid()) || (mode & 0o022) !== 0) return {};
      return Ledger.parse(JSON.parse(await readFile(this.path, 'utf8')));
    } catch {
      return {};
    }
  }
}
