/** Folders of temporary files, which are fresh behind walls. */
const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm'] as const;
/** The folders of the machine that are empty there, beside the home. */
export const COVERED: readonly string[] = [...TEMPORARY, '/run'];

/**
 * Part of a script that builds walls: a new root in `$new`, beside the old one, so that nothing that is mounted covers
 * what is still to be mounted. Every mount of the machine is read-only there; temporary files and the home (`$home`)
 * are empty. Where `$network` is not empty, other machines have their
 * names. It works in `$scratch`, which has an empty folder `stage`, and is the first process of a PID namespace.
 */
export const CLOSED_ROOT = String.raw`mount --make-rprivate /
cd "$scratch"
mount -t tmpfs -o mode=755 tmpfs stage
mkdir stage/root
new=$scratch/stage/root
mount --rbind / "$new"
# All in one process: a machine may have a hundred mounts. Fields are escaped there as they are in a table.
writable() {
  while read -r _ _ _ _ field flags _; do
    case "$field" in *'\'*) point=$(printf '%b' "$field") ;; *) point=$field ;; esac
    case "$flags,$point" in ro,*) continue ;; *,"$new" | *,"$new"/*) "$1" ;; esac
  done < /proc/self/mountinfo
}
note() { echo "none $field none remount,bind,ro,${'$'}{flags#rw,} 0 0"; }
close() { mount -c -i -n -o "remount,bind,ro,${'$'}{flags#rw,}" "$point"; }
writable note > stage/mounts
mount -a -c -i -n -T stage/mounts || true
# What a mount that passes over some of a table has left, one by one.
writable close
mount -t proc proc "$new/proc"
for kernel in sys sysrq-trigger; do
  [ -e "$new/proc/$kernel" ] || continue
  mount --bind "$new/proc/$kernel" "$new/proc/$kernel"
  mount -o remount,bind,ro "$new/proc/$kernel"
done
for covered in ${TEMPORARY.join(' ')}; do
  [ ! -d "$covered" ] || [ -L "$covered" ] || mount -t tmpfs -o mode=1777 tmpfs "$new$covered"
done
for covered in /run "$home"; do
  [ -d "$covered" ] && [ "$covered" != / ] || continue
  mkdir -p "$new$covered"
  mount -t tmpfs -o mode=755 tmpfs "$new$covered"
done
# The names of other machines may be asked as a file in a covered folder says.
names=$(readlink -f /etc/resolv.conf || true)
if [ -n "$network" ] && [ -f "$names" ] && [ ! -e "$new$names" ]; then
  mkdir -p "$new${'$'}{names%/*}"
  : > "$new$names"
  mount --bind "$names" "$new$names"
  mount -o remount,bind,ro "$new$names"
fi
`;
