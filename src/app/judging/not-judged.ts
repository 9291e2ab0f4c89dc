import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { MigrationError } from '../../kernel/migration.ts';
import { UnreadableError } from '../../log/unreadable.ts';
import { UnknownMachineError } from '../../redecide/unknown-machine-error.ts';
import { notFolded, type NotFolded } from '../../runtime/load-run.ts';

/** Why a recorded run cannot be judged again. */
export type NotJudged = { readonly kind: 'unknown_run'; readonly run: string } | NotFolded;

/** What an error of judging says of the run. Throws every other error. */
export function notJudged(error: unknown, loops: readonly LoopDefinition[]): NotJudged {
  if (error instanceof MigrationError) {
    return { kind: 'unknown_machine', machine: error.to, known: loops.map(({ id }) => id), because: error.message };
  }
  if (error instanceof UnreadableError) return notFolded(error.unreadable, loops);
  if (!(error instanceof UnknownMachineError)) throw error;
  return error.unknown;
}
