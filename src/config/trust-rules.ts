import { z } from 'zod';
import { isAgentModel } from '../../machines/agent-model.ts';
import { runsUserCode } from '../strategies/strategy-kinds.ts';
import { type Option, OPTION_ROWS, OPTIONS, type OptionWith } from '../options/option-table.ts';
import type { Config } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { isLoopPath } from './loop-path.ts';
import { RunOptions } from './options.ts';
import { PermissionsOption } from './permission-option.ts';
import { join } from 'node:path';
import { PrivateRecord } from './private-record.ts';

type ByValue = OptionWith<'harmless', 'by value'>;

/**
 * The values with which an untrusted file may set the options by which a command of the project may run without walls,
 * reach the home or the network, or run code.
 */
const HARMLESS_VALUES: { readonly [option in ByValue]: (value: unknown) => boolean } = {
  walls: (value) => value === 'try' || value === 'required',
  checkIn: (value) => value === 'proof',
  sandbox: (value) => value === 'try' || value === 'required',
  network: (value) => value === 'none' || value === 'registries',
  permissions: (value) => Array.isArray(value) && value.every(isTightening),
  permissionProfile: (value) => value === 'read' || value === 'edit',
  checks: (value) => !Array.isArray(value) || !value.some(hasNetwork),
  providers: (value) => onlyPrices(value),
  strategy: (value) => !isCode(value),
  loop: (value) => typeof value !== 'string' || !isLoopPath(value),
};

/** A rule that lets nothing through that would else be asked or refused. */
const isTightening = (rule: unknown): boolean => {
  const parsed = PermissionsOption.element.safeParse(rule);
  return !parsed.success || parsed.data.action !== 'allow';
};

const hasNetwork = (check: unknown): boolean => z.object({ network: z.literal(true) }).safeParse(check).success;

/** A file that a user may trust as it is. */
export type Trusted = Pick<ConfigFile, 'path' | 'text' | 'sha256'>;

/** A built-in strategy is harmless; a user's module is code that runs. */
function isCode(strategy: unknown): boolean {
  const parsed = RunOptions.shape.strategy.safeParse(strategy);
  return !parsed.success || (parsed.data !== undefined && runsUserCode(parsed.data.name));
}

/** Why a project's file has to be trusted before it counts; null where it need not be. */
export function reasonToAsk({ json, isOthers }: ConfigFile): string | null {
  if (isOthers) return 'others can change it';
  if (json === null) return 'it is code';
  if (typeof json.value !== 'object' || json.value === null) return null;
  const said = new Map(Object.entries(json.value));
  // An unknown key does nothing here: it is refused as soon as the file is read.
  const grave = OPTIONS.filter((option) => said.has(option) && !isHarmless(option, said.get(option)));
  return grave.length === 0 ? null : `it sets ${grave.join(', ')}`;
}

/** The same for an agent's page: its text was chosen with its name, code was not. */
export function reasonToAskOf({ strategy }: Config, { isOthers }: Pick<ConfigFile, 'isOthers'>): string | null {
  if (strategy === undefined || !isCode(strategy)) return null;
  return isOthers ? 'others can change it' : 'it sets strategy';
}

function isHarmless(option: Option, value: unknown): boolean {
  const { harmless } = OPTION_ROWS[option];
  if (harmless === 'by value') return HARMLESS_VALUES[option as ByValue](value);
  return harmless && !isScript(value);
}

/** A price sends no key anywhere. */
const onlyPrices = (value: unknown): boolean =>
  z.record(z.string(), z.strictObject({ prices: z.unknown() })).safeParse(value).success;

/** A scripted model calls any tools it likes, and an agent of others has its own. */
const isScript = (value: unknown) => typeof value === 'string' && (value.startsWith('script:') || isAgentModel(value));

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
