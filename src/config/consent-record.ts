import { join } from 'node:path';
import { z } from 'zod';
import type { Layer } from './layer.ts';
import { PrivateRecord } from './private-record.ts';

/** What a user has confirmed for a folder, where no other source says it. No checks: the user wants none. */
export const ConfirmedDefaults = z.strictObject({
  model: z.string().min(1).optional(),
  checks: z.array(z.string().min(1)).readonly().optional(),
});
export type ConfirmedDefaults = z.infer<typeof ConfirmedDefaults>;

/** The models and checks that were proposed on a terminal and confirmed, by the folder they are for. */
export class ConfirmedRecord {
  readonly #record: PrivateRecord<ConfirmedDefaults>;

  constructor(userFolder: string) {
    const shape = z.record(z.string(), ConfirmedDefaults);
    this.#record = new PrivateRecord(join(userFolder, 'confirmed.json'), shape);
  }

  get path(): string {
    return this.#record.path;
  }

  /** The layer below all others. Null: nothing was confirmed for the folder. */
  async layer(folder: string | undefined): Promise<Layer | null> {
    const found = folder === undefined ? undefined : (await this.#record.entries())[folder];
    if (!found) return null;
    const { model, checks } = found;
    const values = { ...(model === undefined ? {} : { model }), ...(checks ? { checks: [...checks] } : {}) };
    return { kind: 'confirmed', values, file: this.path };
  }

  /** Adds to what was confirmed for the folder before. */
  async add(folder: string, confirmed: ConfirmedDefaults): Promise<void> {
    await this.#record.update((entries) => ({ ...entries, [folder]: { ...entries[folder], ...confirmed } }));
  }
}
