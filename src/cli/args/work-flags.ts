import { resolve } from 'node:path';
import type { PlacesOptions } from '../../hosts/fleet/run-places.ts';
import { usage } from '../pages/complaint.ts';

export interface WorkFlags {
  readonly concurrency: string;
  readonly grace?: string;
  readonly untilIdle?: boolean;
  readonly workspaces?: string;
  readonly repository?: readonly string[];
  readonly captures?: string;
}

/** Where runs that name a repository are worked on. Undefined: they are left to other workers. */
export function placesOf({ workspaces, repository, captures }: WorkFlags): PlacesOptions | undefined {
  if (workspaces === undefined && repository === undefined && captures === undefined) return undefined;
  if (workspaces === undefined) throw usage('--workspaces', 'a folder, beside --repository and --captures', 'nothing');
  if (repository === undefined) throw usage('--repository', 'the addresses that runs may name', 'nothing');
  if (captures === undefined) throw usage('--captures', 'the address of a git repository', 'nothing');
  return { folder: resolve(workspaces), repositories: repository, captures };
}
