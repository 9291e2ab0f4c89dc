import type { Sandbox } from '../../machines/settings.ts';
import { reachEntries } from '../../machines/command-reach.ts';

/** The part of walls that a person opens to the commands of a run. */
export type OpenedWalls = 'network' | 'write';

/** A permission of a person. `opens`: to commands, through their walls. Absent: to file tools, to read. */
export interface Access {
  readonly path: string;
  readonly opens?: OpenedWalls | undefined;
}

/** Returns what a permission allows, such as `reading /etc` or `its commands to reach example.org`. */
export function accessText({ path, opens }: Access): string {
  if (opens === undefined) return `reading ${path}`;
  return opens === 'network' ? `its commands to reach ${path}` : `its commands to write ${path}`;
}

/** Returns the walls of a run with what a person has opened in them since it began. */
export function withOpened(sandbox: Sandbox, opened: readonly Access[]): Sandbox {
  const places = (kind: OpenedWalls) => opened.flatMap(({ path, opens }) => (opens === kind ? [path] : []));
  const hosts = places('network');
  return {
    ...sandbox,
    network:
      sandbox.network === 'all' || hosts.length === 0
        ? sandbox.network
        : [...reachEntries(sandbox.network), ...hosts].join(','),
    writable: [...sandbox.writable, ...places('write')],
  };
}
