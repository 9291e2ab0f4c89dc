import { z } from 'zod';

/** A host, alone for its ports 80 and 443, with a port, or with all its subdomains (`*.example.org`). */
const HOST = String.raw`(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?`;
const ENTRY = String.raw`(?:registries|loopback:\d{1,5}|(?!loopback(?:,|$))${HOST})`;
const REACH = new RegExp(`^(?:none|all|${ENTRY}(?:,${ENTRY})*)$`);
const MAX_REACH_CHARS = 4_096;

const SAID = "'none', 'all', or a list such as registries,example.org,loopback:5432";

/** The reach of commands behind walls: `none`, `all`, or registries, hosts and ports of this machine, with commas. */
export const NetworkReach = z
  .string({ error: SAID })
  .max(MAX_REACH_CHARS, { error: SAID })
  .regex(REACH, { error: SAID });
export type NetworkReach = z.infer<typeof NetworkReach>;

/** Tells if a text is the one place of a network, such as `example.org:443`, and no word for several. */
export const isOnePlace = (text: string): boolean =>
  NetworkReach.safeParse(text).success && !/^(?:none|all|registries)$|,/.test(text);

/** The single entries of a reach; none where nothing, or everything, is reached. */
export const reachEntries = (reach: NetworkReach): readonly string[] =>
  reach === 'none' || reach === 'all' ? [] : [...new Set(reach.split(','))];

/** A reach with further entries: nothing is added to one that has everything. */
export const reachPlus = (reach: NetworkReach, more: readonly string[]): NetworkReach =>
  reach === 'all' ? reach : [...new Set([...reachEntries(reach), ...more])].join(',') || 'none';

/** Returns the ports of this machine that a reach opens. */
export function loopbackPorts(reach: NetworkReach): readonly number[] {
  return reachEntries(reach).flatMap((entry) => (entry.startsWith('loopback:') ? [Number(entry.split(':')[1])] : []));
}

const WEB_PORTS: readonly number[] = [80, 443];

/** Tells if a reach includes a port of another machine, by the name that the machine is asked for. */
export function reachesHost(
  reach: NetworkReach,
  { host, port }: { readonly host: string; readonly port: number },
): boolean {
  const asked = host.toLowerCase().replace(/\.$/, '');
  return reachEntries(reach).some((entry) => {
    const [name = '', written] = entry.split(':');
    if (name === 'loopback') return false;
    if (written === undefined ? !WEB_PORTS.includes(port) : Number(written) !== port) return false;
    return name.startsWith('*.') ? asked.endsWith(name.slice(1)) : asked === name;
  });
}

const KINDS = ['memory', 'processes', 'file'] as const;
const LIMIT = String.raw`(?:memory|file)=\d{1,9}(?:mb|gb)|processes=\d{1,7}`;
const LIMITS = new RegExp(`^(?:${LIMIT})(?:,(?:${LIMIT}))*$`);
const SAID_LIMITS = 'limits such as memory=8gb,processes=4096,file=16gb';

/** The limits of one command behind walls: memory of each of its processes, their number, and the size of a file. */
export const CommandLimits = z
  .string({ error: SAID_LIMITS })
  .max(100, { error: SAID_LIMITS })
  .regex(LIMITS, { error: SAID_LIMITS });
export type CommandLimits = z.infer<typeof CommandLimits>;

const BYTES: Readonly<Record<string, number>> = { mb: 1024 ** 2, gb: 1024 ** 3 };

/** Returns written limits as numbers: bytes, or processes. The last one counts where a kind is written twice. */
export function limitNumbers(
  limits: CommandLimits | undefined,
): Partial<Readonly<Record<(typeof KINDS)[number], number>>> {
  const entries = (limits ?? '').split(',').flatMap((entry) => {
    const [, kind, number, unit = ''] = /^(\w+)=(\d+)(\w*)$/.exec(entry) ?? [];
    return kind === undefined ? [] : [[kind, Number(number) * (BYTES[unit] ?? 1)] as const];
  });
  return Object.fromEntries(entries);
}
