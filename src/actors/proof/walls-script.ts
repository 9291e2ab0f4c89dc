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
${CLOSED_ROOT}while [ "$1" != -- ]; do
  one=$home/$1
  shift
  [ -e "$one" ] && [ ! -e "$new$one" ] || continue
  if [ -d "$one" ]; then folder "$new$one"; else file "$new$one"; fi
  kept "$one" "$new$one"
done
shift
if [ -n "$hidden" ]; then
  settle
  [ ! -d "$new$hidden/" ] || mounted tmpfs mode=755 walls "$new$hidden"
fi
if [ ! -d "$new$node" ]; then
  folder "$new$node"
  kept "$node" "$new$node"
fi
reports=$layers/${REPORT_FOLDER}
if [ -d "$reports" ]; then
  folder "$new${SEEN_REPORTS}"
  shown "$reports" "$new${SEEN_REPORTS}"
  kept "$reports/${REPORTER_MODULES}" "$new${SEEN_REPORTS}/${REPORTER_MODULES}"
fi
folder "$new$root"
own=$layers/tree
mounted overlay "userxattr,lowerdir=mirror,upperdir=$own/upper,workdir=$own/work" walls "$new$root"
kept "$objects" "$new$root/.git/borrowed"
settle
number=0
while [ "$1" != -- ]; do
  place=$root/$2 own=$layers/${CACHE_LAYER}$number built=${FILLED}/$number
  [ "$1" = tree ] || place=$home/$2
  [ -d "$built" ] || built=stage/lower/none
  number=$((number + 1))
  shift 2
  chroot $new mkdir -p "$place" 2>/dev/null || continue
  mounted overlay "userxattr,lowerdir=$built,upperdir=$own/upper,workdir=$own/work" walls "$new$place"
done
shift
settle
number=0
for folder; do
  own=$layers/$number
  folder "stage/lower/$number"
  folder "$own/upper"
  folder "$own/work"
  chroot $new mkdir -p "$root/$folder"
  shown "$root/$folder" "stage/lower/$number"
  mounted overlay "userxattr,lowerdir=stage/lower/$number,upperdir=$own/upper,workdir=$own/work" \
    walls "$new$root/$folder"
  if [ ! -e "$own/clean" ]; then
    settle
    # Through the new root, where no link leads to anything that can be written.
    for cache in ${quotedAll(CACHES_OF_MODULES)}; do chroot $new rm -rf "$root/$folder/$cache"; done
    : > "$own/clean"
  fi
  number=$((number + 1))
done
settle
[ -n "$network" ] || ip link set lo up
cd $new
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
