import { dirname } from 'node:path';
import { isRunName } from '../effect-names.ts';
import type { StoreFault } from '../log.ts';
import type { UnreadNote } from './heads.ts';

const MAX_NAMED = 3;

/** Whether a log has a run of this name. */
type IsListed = (run: string) => boolean;

/** A note that cannot be read, as a fault of the store. */
export function faultOfNote({ file, run, because }: UnreadNote, isListed: IsListed): StoreFault {
  if (run === null) {
    const reason = `the notes of heads cannot be read or written here (${because}): no run is compared with its note`;
    return { place: file, reason, remedy: 'Make it a folder that you can read and write, or delete it.' };
  }
  if (!isListed(run)) {
    const reason = `the log has no run of that name, and the file holds no note of one (${because})`;
    return { place: file, reason, remedy: 'Move it away or remove it: only notes of heads belong into that folder.' };
  }
  return {
    place: file,
    reason: `the note of the head of run ${run} cannot be read (${because}): the run is not compared with it`,
    remedy: `Look at the run with \`loopfold check ${run}\`; then delete the file: the next commit writes it anew.`,
  };
}

/** The same as sentences, of which the first are named one by one. Without the log, any name may be that of a run. */
export function warningsOf(unread: readonly UnreadNote[], isListed: IsListed = isRunName): readonly string[] {
  const named = unread.slice(0, MAX_NAMED).map((note) => faultOfNote(note, isListed));
  const sentences = named.map(({ place, reason, remedy }) => `${place}: ${reason}. ${remedy}`);
  const [first, more] = [unread[0], unread.length - named.length];
  if (!first || more === 0) return sentences;
  return [...sentences, `${dirname(first.file)}: ${more} more notes cannot be read. \`loopfold check\` names them.`];
}
