import { processOf } from '../../projections/phrases.ts';
import type { WorkspaceHolder } from '../../ports/workspace-holds.ts';

/**
 * Another run holds the workspace, so this one was not started or resumed, and nothing was written. The message ends
 * with what to do.
 *
 * @example
 * const live = await loops.start(options).catch((error: unknown) => {
 *   if (error instanceof WorkspaceHeldError) return loops.start({ ...options, isolate: 'worktree' });
 *   throw error;
 * });
 */
export class WorkspaceHeldError extends Error {
  override readonly name = 'WorkspaceHeldError';
  readonly code = 'workspace_held';
  /** The workspace that was wanted: absolute, without symbolic links. */
  readonly workspace: string;
  /** The run that holds it, or a folder inside or around it. */
  readonly holder: WorkspaceHolder;

  constructor(workspace: string, holder: WorkspaceHolder) {
    const { run, since, process, log } = holder;
    const place = holder.workspace === workspace ? '' : `, which works in ${holder.workspace}`;
    super(
      `${workspace} is held by run ${run}${place}: ${processOf(process)}, since ${since}, recorded in ${log}. ` +
        'Wait until that run has ended or is paused, or abort it; or give this run a folder of its own: ' +
        '--isolate worktree',
    );
    this.workspace = workspace;
    this.holder = holder;
  }
}
