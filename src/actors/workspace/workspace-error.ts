/** Files of a workspace could not be written. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code: 'nothing_written' | 'half_written';

  constructor(code: WorkspaceError['code'], root: string, cause: unknown) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    const state =
      code === 'nothing_written'
        ? 'No file was changed. Make room or make the folder writable, then try again.'
        : 'Some files were written. The same command writes the others.';
    super(`${root} cannot be written: ${detail}. ${state}`, { cause });
    this.code = code;
  }
}
