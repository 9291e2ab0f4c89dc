import { z } from 'zod';
import { fact, unchanged } from './vocabulary.ts';

const count = z.int().nonnegative();

/** What a person, or an agent, has changed in the state file. Members that are as they were are absent. */
export const StateChanges = z.strictObject({
  active: z.literal(false).optional(),
  /** 1-based: the iteration that runs. */
  iteration: count.optional(),
  /** 0 is unlimited, below the ceiling. */
  maxIterations: count.optional(),
  completionPromise: z.string().nullable().optional(),
  originalPrompt: z.string().optional(),
});
export type StateChanges = z.infer<typeof StateChanges>;

/** An edit of the state file, as it was read. */
export const StateEdit = z.strictObject({
  /** SHA-256, in hex, of the whole file. */
  digest: z.string(),
  changes: StateChanges,
  /** Why the loop is to stop, where the file says so. */
  reason: z.string().optional(),
  /** `unknown`: something that the agent has started could have written it, too. */
  by: z.enum(['person', 'unknown']),
  /** It would give the loop more than it has, and a person may not have written it: it waits for approval. */
  held: z.boolean(),
  /** Of an edit that is held: what only a person can have changed beside it. It counts at once. */
  persons: StateChanges.optional(),
});
export type StateEdit = z.infer<typeof StateEdit>;

/** Why a file is not the state of this loop. `line` is 1-based; null: none is to blame. */
const Damage = z.strictObject({
  line: z.int().positive().nullable(),
  reason: z.string(),
  /** The agent could have done it: what else it has written there cannot be told. Absent: only a person could. */
  by: z.literal('unknown').optional(),
});

/** The further events of a loop that keeps a state file for people. */
export const ralphFacts = [
  /** The file says what the log says. `was`: how the file was found. */
  fact('state_file.written', { digest: z.string(), was: z.enum(['absent', 'replaced', 'kept']) }),
  /** It was read, and is as the loop has left it; or it is gone, and will be written again. */
  fact('state_file.kept', { isMissing: z.boolean() }),
  fact('state_file.edited', { edit: StateEdit }, [unchanged]),
  /**
   * It was read when the run was resumed in the middle of an iteration. `edit`: one that counts at once. `damage`: it
   * cannot be read as the state of this loop, and the run pauses again.
   */
  fact('state_file.revisited', { edit: StateEdit.nullable(), damage: Damage.optional() }, [unchanged, unchanged]),
  /** What the agent may have written lay there when the run was paused or began to wait: no person has written that. */
  fact('state_file.noticed', {
    /** Null: it is damaged, so what it asks for cannot be told. */
    edit: StateEdit.nullable(),
  }),
  /** It cannot be read as the state of this loop, or not be written. */
  fact('state_file.damaged', Damage.shape, [unchanged]),
  fact('state_file.interrupted', { reason: z.string() }),
  /** An edit that was found when the run had ended: the file was written over. */
  fact('state_file.superseded', { digest: z.string(), changes: StateChanges }),
  /** It says that the loop is over, and why. `digest` is null where it could not be written, for that reason. */
  fact('state_file.closed', { digest: z.string().nullable(), reason: z.string() }),
  /** A person allows exactly the content with this digest. */
  fact('edit.approved', { digest: z.string(), reason: z.string().nullable() }),
  /** The state of the log is written over that content. */
  fact('edit.denied', { digest: z.string(), reason: z.string().nullable() }),
  fact('edit.withdrawn', { reason: z.string() }),
  /** The maximum was reached while more and more checks passed. */
  fact('maximum.raised', { from: count, to: count, because: z.string() }),
  fact('maximum.held', { because: z.string() }),
] as const;
