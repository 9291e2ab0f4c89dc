import { resolve } from 'node:path';
import type { KeyBudget, PlacesOptions } from '../hosts.ts';
import { configOfFlags } from './run-flags.ts';
import { usage } from '../pages/complaint.ts';

export interface WorkFlags {
  readonly concurrency: string;
  readonly grace?: string;
  readonly untilIdle?: boolean;
  readonly keyMaxTokens?: string;
  readonly keyMaxCost?: string;
  readonly workspaces?: string;
  readonly repository?: readonly string[];
  readonly captures?: string;
  readonly trustConfig?: readonly string[];
}

const DIGEST = /^[\da-f]{64}$/;

/** Where runs that name a repository are worked on. Undefined: they are left to other workers. */
export function placesOf({ workspaces, repository, captures, trustConfig }: WorkFlags): PlacesOptions | undefined {
  const isPlaced = [workspaces, repository, captures, trustConfig].some((flag) => flag !== undefined);
  if (!isPlaced) return undefined;
  if (workspaces === undefined) throw usage('--workspaces', 'a folder, beside --repository and --captures', 'nothing');
  if (repository === undefined) throw usage('--repository', 'the addresses that runs may name', 'nothing');
  if (captures === undefined) throw usage('--captures', 'the address of a git repository', 'nothing');
  const odd = trustConfig?.find((digest) => !DIGEST.test(digest));
  if (odd !== undefined) throw usage('--trust-config', 'the SHA-256 of a file, 64 hexadecimal digits', `'${odd}'`);
  return {
    folder: resolve(workspaces),
    repositories: repository,
    captures,
    ...(trustConfig === undefined ? {} : { trusted: trustConfig }),
  };
}

/** What the runs of one key may spend in a day. Undefined: no flag says so. */
export function keyBudgetOf({ keyMaxTokens, keyMaxCost }: WorkFlags): KeyBudget | undefined {
  if (keyMaxTokens === undefined && keyMaxCost === undefined) return undefined;
  const { values, faults } = configOfFlags({ maxTokens: keyMaxTokens, maxCost: keyMaxCost });
  const [fault] = faults;
  if (fault)
    throw usage(
      `--key-${fault.field === 'maxCost' ? 'max-cost' : 'max-tokens'}`,
      fault.expected,
      `'${String(fault.value)}'`,
    );
  const { maxTokens, maxCost } = values;
  return { ...(maxTokens === undefined ? {} : { maxTokens }), ...(maxCost === undefined ? {} : { maxCost }) };
}
