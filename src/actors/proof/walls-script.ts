import { CACHES_OF_MODULES } from '../../evidence/never-given.ts';
import type { BuildCache } from '../../evidence/build-caches.ts';
import { quotedAll } from '../../text/shell-words.ts';
import { CLOSED_ROOT } from './root-script.ts';
import { FILLED } from './mirror-seal.ts';
import { REPORTER_MODULES } from '../reporter-modules.ts';
import { ownPath } from '../../text/own-programs.ts';

/** In the layers of a leg: the place where test runners report. */
export const REPORT_FOLDER = 'told';
/** In the layers of a leg: the beginning of the name of a folder for each build cache. */
export const CACHE_LAYER = 'cache-';
/** The same, as checks see it: among temporary files, which are fresh. */
export const SEEN_REPORTS = '/tmp/loopfold-reports';
/**
 * Builds a new root beside the old one, so that nothing that is mounted covers what is still to be mounted, and enters
 * it. Every mount of the machine is read-only there. Relative names keep the special characters of paths out of mount
 * options. Its parameters: the proof folder, the layers of this leg, the workspace, the folder in it that checks run
 * in, the home, the objects of the repository, the folder of Node, the user and group, whether it may use the network,
 * the command, a folder that is empty there, paths in the home that it may read, `--`, for each build cache `home` or
 * `tree` and a path, `--`, then folders of dependencies.
 * The layers may have a folder for reports.
 */
const SCRIPT = String.raw`
set -eu
proof=$1 layers=$2 root=$3 inside=$4 home=$5 objects=$6 node=$7 user=$8 group=$9
shift 9
network=$1 command=$2 hidden=$3
shift 3
# Where the check looks for programs is in $found. Ours are not among those that an agent may have put there.
PATH=$PATH:/usr/sbin:/sbin
umask 022
scratch=$proof
${CLOSED_ROOT}mkdir stage/lower
while [ "$1" != -- ]; do
  shown=$home/$1
  shift
  [ -e "$shown" ] && [ ! -e "$new$shown" ] || continue
  if [ -d "$shown" ]; then mkdir -p "$new$shown"; else mkdir -p "$new${'$'}{shown%/*}" && : > "$new$shown"; fi
  mount --rbind "$shown" "$new$shown"
  mount -o remount,bind,ro "$new$shown"
done
shift
[ ! -d "$new$hidden/" ] || [ -z "$hidden" ] || mount -t tmpfs -o mode=755 tmpfs "$new$hidden"
if [ ! -d "$new$node" ]; then
  mkdir -p "$new$node"
  mount --rbind "$node" "$new$node"
  mount -o remount,bind,ro "$new$node"
fi
if [ -d "$layers/${REPORT_FOLDER}" ]; then
  mkdir "$new${SEEN_REPORTS}"
  mount --bind "$layers/${REPORT_FOLDER}" "$new${SEEN_REPORTS}"
  mount --bind "$layers/${REPORT_FOLDER}/${REPORTER_MODULES}" "$new${SEEN_REPORTS}/${REPORTER_MODULES}"
  mount -o remount,bind,ro "$new${SEEN_REPORTS}/${REPORTER_MODULES}"
fi
mkdir -p "$new$root"
own=$layers/tree
mount -t overlay -o "userxattr,lowerdir=mirror,upperdir=$own/upper,workdir=$own/work" overlay "$new$root"
mount --bind "$objects" "$new$root/.git/borrowed"
mount -o remount,bind,ro "$new$root/.git/borrowed"
mkdir stage/lower/none
number=0
while [ "$1" != -- ]; do
  place=$root/$2 own=$layers/${CACHE_LAYER}$number built=${FILLED}/$number
  [ "$1" = tree ] || place=$home/$2
  [ -d "$built" ] || built=stage/lower/none
  number=$((number + 1))
  shift 2
  chroot "$new" mkdir -p "$place" 2>/dev/null || continue
  mount -t overlay -o "userxattr,lowerdir=$built,upperdir=$own/upper,workdir=$own/work" overlay "$new$place"
done
shift
number=0
for folder; do
  own=$layers/$number
  mkdir -p "stage/lower/$number" "$own/upper" "$own/work"
  chroot "$new" mkdir -p "$root/$folder"
  mount --rbind "$root/$folder" "stage/lower/$number"
  mount -t overlay -o "userxattr,lowerdir=stage/lower/$number,upperdir=$own/upper,workdir=$own/work" \
    overlay "$new$root/$folder"
  # Through the new root, where no link leads to anything that can be written.
  for cache in ${quotedAll(CACHES_OF_MODULES)}; do
    [ -e "$own/clean" ] || chroot "$new" rm -rf "$root/$folder/$cache"
  done
  : > "$own/clean"
  number=$((number + 1))
done
[ -n "$network" ] || ip link set lo up
cd "$new"
pivot_root . .
umount -l .
cd "$root/$inside"
setpriv=$(command -v setpriv)
set -- "$setpriv" --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all /bin/sh -c "$command"
[ "$user" = 0 ] || set -- "$(command -v unshare)" -U "--map-user=$user" "--map-group=$group" --keep-caps "$@"
PATH=$found
unset found
"$@"
`;

/** What the walls stand around. Absolute paths, but for `layers`, which is in `proof`, and `inside` in `root`. */
export interface WallPlan {
  /** Has the checkout as `mirror`, and an empty folder `stage`. */
  readonly proof: string;
  readonly layers: string;
  /** The workspace: the checkout is mounted at its path. */
  readonly root: string;
  /** The folder that checks run in. */
  readonly inside: string;
  /** Empty: there is none. */
  readonly home: string;
  /** The objects of its repository. */
  readonly objects: string;
  /** A folder that commands are not to read. Absent: there is none. */
  readonly hidden?: string | undefined;
  /** The folder of the Node that runs this: it can be run behind the walls, wherever it lies. */
  readonly node: string;
  readonly user: number;
  readonly group: number;
  /** What commands may read of the home: paths from there. */
  readonly homePaths: readonly string[];
  /** Where build tools keep what they have built. The layers have folders for each of them. */
  readonly caches: readonly BuildCache[];
  /** Folders of installed dependencies, from `root`. */
  readonly dependencies: readonly string[];
}

/** A command that runs another one behind walls. `network`: it may reach other machines, and this one. */
export function walledCommand(plan: WallPlan, command: string, network: boolean): string {
  const { proof, layers, root, inside, home, objects, node, user, group, hidden = '', homePaths } = plan;
  const { caches, dependencies } = plan;
  const words = [
    proof,
    layers,
    root,
    inside,
    home,
    objects,
    node,
    String(user),
    String(group),
    network ? 'network' : '',
    command,
    hidden,
    ...homePaths,
    '--',
    ...caches.flatMap(({ at, path }) => [at, path]),
    '--',
    ...dependencies,
  ];
  const namespaces = `unshare --user --map-root-user --mount --pid ${network ? '' : '--net '}--ipc --fork --kill-child`;
  const script = quotedAll([SCRIPT, 'walls', ...words]);
  return `found=$PATH PATH=${quotedAll([ownPath()])} exec ${namespaces} /bin/sh -c ${script}`;
}
