import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { underLock } from './lock-file.ts';

/**
 * Entries that a user keeps in a file, readable by this user alone. A file that another user could have written, or
 * that is out of shape, counts as empty.
 */
export class PrivateRecord<Entry> {
  readonly path: string;
  readonly #shape: z.ZodType<Readonly<Record<string, Entry>>>;

  constructor(path: string, shape: z.ZodType<Readonly<Record<string, Entry>>>) {
    this.path = path;
    this.#shape = shape;
  }

  async entries(): Promise<Readonly<Record<string, Entry>>> {
    try {
      const { uid, mode } = await stat(this.path);
      if ((process.getuid && uid !== process.getuid()) || (mode & 0o022) !== 0) return {};
      return this.#shape.parse(JSON.parse(await readFile(this.path, 'utf8')));
    } catch {
      return {};
    }
  }

  /**
   * Replaces the file whole by what a change makes of its entries, while no other process changes it. Throws what the
   * file system says where it cannot be written, and where another process keeps it locked.
   */
  async update(change: (entries: Readonly<Record<string, Entry>>) => Readonly<Record<string, Entry>>): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await underLock(`${this.path}.lock`, async () => this.#write(change(await this.entries())));
  }

  async #write(entries: Readonly<Record<string, Entry>>): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      await writeFile(draft, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
