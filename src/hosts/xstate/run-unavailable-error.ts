const REMEDY = {
  unknown_run: 'Open the log that the run was started in.',
  unknown_machine: 'Restore it with the version of loopfold that wrote it.',
  unreadable: 'Restore it with the version of loopfold, and the modules of loops, that wrote it.',
  not_root: 'Restore the run at the top of its tree.',
} as const;

/** A run that an actor stands for cannot be taken up. Nothing was done instead. The message ends with what to do. */
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
