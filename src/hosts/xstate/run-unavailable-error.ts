import { unreadableText } from '../../log/unreadable.ts';
import type { NotFolded } from '../../runtime/load-run.ts';

const REMEDY = {
  unknown_run: 'Open the log that the run was started in.',
  unknown_machine: 'Restore it with the version of loopfold that wrote it.',
  unreadable: 'Restore it with the version of loopfold, and the modules of loops, that wrote it.',
  not_root: 'Restore the run at the top of its tree.',
} as const;

/** The run of an actor cannot be resumed. Nothing was changed. The message ends with what to do. */
export class RunUnavailableError extends Error {
  override readonly name = 'RunUnavailableError';
  readonly code: keyof typeof REMEDY;
  readonly run: string;

  constructor(code: RunUnavailableError['code'], run: string, detail: string) {
    super(`run ${run}: ${detail}. ${REMEDY[code]}`);
    this.code = code;
    this.run = run;
  }
}

/** The log does not have the run. */
export const unknownRun = (run: string) => new RunUnavailableError('unknown_run', run, 'this log does not know it');

/** This program, with its loops, cannot fold the run. */
export function notFoldable(run: string, why: NotFolded): RunUnavailableError {
  if (why.kind === 'unknown_machine')
    return new RunUnavailableError('unknown_machine', run, `${why.machine}, which wrote it, is not known here`);
  return new RunUnavailableError(
    'unreadable',
    run,
    `version ${why.version} of run ${why.run}, ${why.type}, cannot be read: ${unreadableText(why)}`,
  );
}
