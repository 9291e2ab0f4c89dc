import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Option, OPTIONS } from './config.ts';
import type { ConfigFile } from './config-file.ts';

/**
 * What a file of somebody else may decide without being asked about: it sends nothing elsewhere, shows no secret, and runs
 * nothing that a model with a shell in the same folder would not run anyway.
 */
const HARMLESS: ReadonlySet<Option> = new Set<Option>([
  'loop',
  'model',
  'fallbackModel',
  'tools',
  'maxIterations',
  'maxSteps',
  'maxToolCalls',
  'maxTokens',
  'maxTime',
  'graceMs',
  'outputFormat',
  'checks',
]);

/** Why a project's file has to be trusted before it counts; null where it need not be. */
export function reasonToAsk({ json, isOthers }: ConfigFile): string | null {
  if (isOthers) return 'others can change it';
  if (json === null) return 'it is code';
  if (typeof json.value !== 'object' || json.value === null) return null;
  const said = new Map(Object.entries(json.value));
  // A key that is no option does nothing: it is refused as soon as the file is read.
  const grave = OPTIONS.filter((option) => said.has(option) && (!isHarmless(option, said.get(option))));
  return grave.length === 0 ? null : `it sets ${grave.join(', ')}`;
}

const isHarmless = (option: Option, value: unknown): boolean =>
  option === 'providers' ? onlyPrices(value) : HARMLESS.has(option) && !isScript(value);

/** To say what a model costs sends no key anywhere. */
const onlyPrices = (value: unknown): boolean => z.record(z.string(), z.strictObject({ prices: z.unknown() })).safeParse(value).success;

/** A scripted model calls the tools it likes. */
const isScript = (value: unknown) => typeof value === 'string' && value.startsWith('script:');

const Ledger = z.record(z.string(), z.string());
const FILE = 'trusted.json';

/**
 * The files that a person trusts, each with the hash of what it said then: one that has changed is asked about again.
 * Kept for the person alone. One that somebody else could have written is not believed.
 */
export class TrustLedger {
  readonly path: string;

  constructor(userFolder: string) {
    this.path = join(userFolder, FILE);
  }

  async knows({ path, sha256 }: ConfigFile): Promise<boolean> {
    return (await this.#entries())[path] === sha256;
  }

  async add({ path, sha256 }: ConfigFile): Promise<void> {
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
