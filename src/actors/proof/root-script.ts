/** Folders of temporary files, which are fresh behind walls. */
const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm'] as const;
/** The folders of the machine that are empty there, beside the home. */
export const COVERED: readonly string[] = [...TEMPORARY, '/run'];

/**
 * Functions of a script that builds walls, for names from where it works. They note a folder that is to be there, an
 * empty file, a mount (its type, options, source and place) and one that cannot be written; `settle` does all that is
 * noted, with a process for the folders and one for the mounts: a process costs more than what it does. Who notes a
 * thing in a mount settles before. A name with special characters is not noted, nor is a mount where `$table` is empty:
 * it is dealt with at once.
 *
 * Names are relative and sources of file systems are of our own, because `mount` passes over what stands already.
 */
const NOTES = String.raw`folders= files= mounts=
is_plain() { case "$1" in *[!A-Za-z0-9_./@+=-]*) return 1 ;; esac; }
folder() { if is_plain "$1"; then folders="$folders $1"; else settle; mkdir -p "$1"; fi; }
# What stands in a mount already is a file of a person.
empty() { [ -e "$1" ] || : > "$1"; }
file() {
  folder "${'$'}{1%/*}"
  if is_plain "$1"; then files="$files $1"; else settle; empty "$1"; fi
}
mounted() {
  if [ -n "$table" ] && is_plain "$3$4"; then
    mounts="$mounts$3 $4 $1 $2 0 0
"
  else
    settle
    mount -t "$1" -o "$2" "$3" "$4"
  fi
}
shown() { mounted none rbind "$1" "$2"; }
kept() { shown "$1" "$2"; mounted none remount,bind,ro walls "$2"; }
settle() {
  [ -z "$folders" ] || mkdir -p $folders
  for made in $files; do empty "$made"; done
  [ -z "$mounts" ] || { printf %s "$mounts" > stage/mounts; mount -a -c -i -n -T stage/mounts; }
  folders= files= mounts=
}
`;

/**
 * Part of a script that builds walls: a new root in `$new`, beside the old one, so that nothing that is mounted covers
 * what is still to be mounted. Every mount of the machine is read-only there; temporary files and the home (`$home`)
 * are empty. Where `$network` is not empty, other machines have their
 * names. It works in `$scratch`, which has an empty folder `stage`, and is the first process of a PID namespace.
 */
export const CLOSED_ROOT = String.raw`cd -P "$scratch"
# As the system names it: what is mounted is found by its name.
scratch=$PWD
mount -t tmpfs -o mode=755 tmpfs stage
new=stage/root
mkdir $new stage/lower stage/lower/none
mount --rbind / $new
# All in one process: a machine may have a hundred mounts. Fields are escaped there as they are in a table.
writable() {
  while read -r _ _ _ _ field flags _; do
    case "$field" in *'\'*) point=$(printf '%b.' "$field") point=${'$'}{point%.} ;; *) point=$field ;; esac
    case "$flags,$point" in ro,*) continue ;; *,"$scratch/$new" | *,"$scratch/$new"/*) "$1" ;; esac
  done < /proc/self/mountinfo
}
note() { [ ! -e "$point" ] || printf 'none %s none remount,bind,ro,%s 0 0\n' "$field" "${'$'}{flags#rw,}"; }
shut() { mount -c -i -n -o "remount,bind,ro,${'$'}{flags#rw,}" "$point"; }
close() {
  [ "$point" != "$scratch/$new" ] || table=
  # Nothing leads to a mount whose place another one covers.
  if [ -e "$point" ]; then shut; else shut 2> /dev/null || true; fi
}
writable note > stage/mounts
table=yes
mount -a -c -i -n -T stage/mounts 2> /dev/null || table=
# What a mount that passes over some of a table has left, one by one. One that has left the root reads no table.
writable close
${NOTES}mounted proc defaults walls $new/proc
for kernel in sys sysrq-trigger; do
  [ ! -e /proc/$kernel ] || kept $new/proc/$kernel $new/proc/$kernel
done
for covered in ${TEMPORARY.join(' ')}; do
  [ ! -d "$covered" ] || [ -L "$covered" ] || mounted tmpfs mode=1777 walls "$new$covered"
done
settle
for covered in /run "$home"; do
  [ -d "$covered" ] && [ "$covered" != / ] || continue
  [ -d "$new$covered" ] || folder "$new$covered"
  mounted tmpfs mode=755 walls "$new$covered"
  settle
done
# The names of other machines may be asked as a file in a covered folder says.
if [ -n "$network" ]; then
  names=$(readlink -f /etc/resolv.conf || true)
  if [ -f "$names" ] && [ ! -e "$new$names" ]; then
    file "$new$names"
    kept "$names" "$new$names"
  fi
fi
`;
