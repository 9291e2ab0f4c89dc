import { totalmem } from 'node:os';
import { type CommandLimits, limitNumbers, type NetworkReach } from '../../../machines/command-reach.ts';
import { quotedAll } from '../../text/shell-words.ts';
import { ownPath } from '../../text/own-programs.ts';
import type { CommandRequest } from '../subprocess.ts';
import { CLOSED_ROOT } from './root-script.ts';

/** The line by which the process that holds walls says that they stand. */
export const STANDING = 'standing';

/**
 * Builds walls that last as long as the input of this script is open. Its parameters: a folder of its own with empty
 * folders `stage` and `layers`, and one `home`; the home, the folder of Node, whether there is a network; then lists,
 * each ended by `--`: folders in the home that tools may use, and whose changes are thrown away; pairs of a folder and
 * its place in the home; what can be written;
 * and what of that cannot. Absolute paths, but for the first list.
 */
const SCRIPT = String.raw`
set -eu
scratch=$1 home=$2 node=$3 network=$4
shift 4
PATH=$PATH:/usr/sbin:/sbin
umask 022
${CLOSED_ROOT}[ ! -d "$home" ] || cp -R home/. "$new$home/"
number=0
while [ "$1" != -- ]; do
  place=$home/$1
  shift
  [ -d "$place" ] && [ ! -L "$place" ] || continue
  number=$((number + 1))
  own=layers/$number
  for one in "$new$place" stage/lower/$number $own/upper $own/work; do folder "$one"; done
  shown "$place" stage/lower/$number
  mounted overlay userxattr,lowerdir=stage/lower/$number,upperdir=$own/upper,workdir=$own/work walls "$new$place"
done
shift
# They may lie in what is mounted, and what can be written may lie in them.
while [ "$1" != -- ]; do
  settle
  folder "$new$home/$2"
  shown "$1" "$new$home/$2"
  settle
  shift 2
done
shift
if [ ! -d "$new$node" ]; then
  folder "$new$node"
  kept "$node" "$new$node"
fi
# A mount point for a file is made where there is none, among what is thrown away.
over() { if [ -d "$1" ]; then folder "$new$1"; else file "$new$1"; fi; }
while [ "$1" != -- ]; do
  if [ -e "$1" ]; then
    over "$1"
    shown "$1" "$new$1"
  fi
  shift
done
shift
while [ "$1" != -- ]; do
  if [ -e "$1" ] && [ ! -L "$1" ]; then
    over "$1"
    kept "$1" "$new$1"
  fi
  shift
done
settle
[ -n "$network" ] || ip link set lo up
cd $new
pivot_root . .
umount -l .
cd /
# Its children reap what others leave; without its input it ends, and with it all that is here.
exec /bin/sh -c 'exec 3<&0; echo ${STANDING}; cat <&3 > /dev/null & wait'
`;

/** The surroundings of the walls of an attempt. */
export interface AttemptPlan {
  /** A folder of their own, which has empty folders `stage` and `layers`, and `home` with the files of the home. */
  readonly scratch: string;
  readonly home: string;
  /** The folder of the Node that runs this. */
  readonly node: string;
  readonly network: NetworkReach;
  /** Texts of files in the home behind the walls, by their paths from there. */
  readonly homeFiles: Readonly<Record<string, string>>;
  /** Folders of ours that are found, writable, at places of the home, which are relative to it. */
  readonly homeFolders?: readonly { readonly folder: string; readonly place: string }[];
  /** From the home: what tools keep there. */
  readonly toolHomes: readonly string[];
  readonly writable: readonly string[];
  readonly kept: readonly string[];
  readonly limits: CommandLimits | undefined;
  /** Variables that each command gets, beside its own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A command that builds walls, says so, and holds them. */
export function holdingCommand(plan: AttemptPlan): string {
  const { scratch, home, node, network, homeFolders = [], toolHomes, writable, kept } = plan;
  const words = [
    scratch,
    home,
    node,
    network === 'all' ? 'all' : '',
    ...toolHomes,
    '--',
    ...homeFolders.flatMap(({ folder, place }) => [folder, place]),
    '--',
    ...writable,
    '--',
    ...kept,
    '--',
  ];
  const isOpen = network === 'all';
  const namespaces = `unshare --user --map-root-user --mount --pid ${isOpen ? '' : '--net '}--ipc --fork --kill-child`;
  return `PATH=${quotedAll([ownPath()])} exec ${namespaces} /bin/sh -c ${quotedAll([SCRIPT, 'walls', ...words])}`;
}

/** The way by which commands enter. `holder`: the process that holds the walls, as this system numbers it. */
export interface Entrance {
  readonly holder: number;
  readonly network: NetworkReach;
  readonly user: number;
  readonly group: number;
  readonly limits: CommandLimits | undefined;
}

/**
 * The limits of one command: processes of the user, bytes of a file that it writes, and the part of the machine's
 * memory that one of its processes may have.
 */
const MAX_PROCESSES = 4_096;
const MAX_FILE_BYTES = 16 * 1024 ** 3;
const MEMORY_SHARE = 0.75;

/** A command that runs another one behind walls, in a folder there. */
export function enteringCommand(
  { holder, network, user, group, limits }: Entrance,
  { command, shell = '/bin/sh', directory }: Pick<CommandRequest, 'command' | 'shell' | 'directory'>,
): string {
  const spaces = `--user --preserve-credentials --mount --pid ${network === 'all' ? '' : '--net '}--ipc`;
  const within = [
    'cd "$1"',
    'set -- "$setpriv" --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all "$3" -c "$2"',
    // Who is no superuser is not shown as one.
    ...(user === 0 ? [] : [`set -- "$unshare" -U --map-user=${user} --map-group=${group} --keep-caps "$@"`]),
    'PATH=$found',
    'unset found setpriv unshare',
    'exec "$@"',
  ].join(' && ');
  const programs = 'setpriv=$(command -v setpriv) unshare=$(command -v unshare) && export setpriv unshare';
  const {
    memory = Math.floor(totalmem() * MEMORY_SHARE),
    processes = MAX_PROCESSES,
    file = MAX_FILE_BYTES,
  } = limitNumbers(limits);
  // Not the address space: programs reserve far more of it than they use.
  const limited = `prlimit --nproc=${processes} --fsize=${file} --data=${memory}`;
  const inside = quotedAll([within, 'sh', directory, command, shell]);
  const entered = `exec nsenter ${spaces} --target ${holder} ${limited} /bin/sh -c ${inside}`;
  return `export found="$PATH" && PATH=${quotedAll([ownPath()])} && ${programs} && ${entered}`;
}
