/** Something of a store, beside the events of its runs, that no program of ours has left so. */
export interface StoreFault {
  /** A table, with the row where it is one, or a file. */
  readonly place: string;
  readonly reason: string;
  /** What to do, as a sentence. */
  readonly remedy: string;
}

/** The part of a log that tells what is wrong with it beside its events: runs are verified one by one. */
export interface StoreAudit {
  /** Notes of heads that cannot be read, as they were on opening, in sentences: nothing was compared with them. */
  readonly warnings: readonly string[];
  /** Reads the whole store, and changes nothing. Throws a `LogError` where it can no longer be read. */
  audit(): Promise<readonly StoreFault[]>;
}

/** Of a log that is in no file. */
export const SOUND: StoreAudit = { warnings: [], audit: async () => [] };

const SAVES = 'save the runs with `loopfold check --repair FILE`';
/** What to do where runs lost something. */
export const RESTORE = `Restore the log from a copy, or ${SAVES}.`;
/** What to do where only something is damaged that a repair leaves out. */
export const LEAVE_OUT = `Restore the log from a copy, or ${SAVES}: it leaves this row out.`;

/** What to do where a repair can save nothing: it would be no help to name the repair again. */
export const SALVAGE =
  'Restore the log from a copy. Without one, copy the file, and try `.recover` of the sqlite3 shell on the copy: it ' +
  'reads pages that no table leads to any more.';

/** No store is listed fault by fault for longer than this. */
export const MAX_FAULTS = 100;
