import { ModelError } from '../../actors/model/model.ts';
import { ScriptError } from '../../actors/model/model-script.ts';
import { GitError } from '../../git/process/git.ts';
import { WorkspaceError } from '../../git/bring/write-steps.ts';
import { EnvironmentFault } from '../../log/environment-fault.ts';
import { LogError } from '../../log/log.ts';
import { UnreadableError } from '../../log/unreadable.ts';
import { WorkspaceHeldError } from '../holds/workspace-held-error.ts';
import { OptionsError } from '../start/options-error.ts';
import { EnvironmentError } from '../../actors/environment-error.ts';
import { StateFileHeldError } from '../start/state-file-holder.ts';

/** What prevents a run: its options, a missing key, the environment, another run in its workspace, or its log. */
export type Obstacle = 'request' | 'authentication' | 'environment' | 'held' | 'log';

/** Which obstacle an error is. Null: an unexpected error. */
export function obstacleOf(error: unknown): Obstacle | null {
  if (error instanceof ModelError && error.code === 'authentication') return 'authentication';
  if (error instanceof OptionsError || error instanceof ScriptError || error instanceof ModelError) return 'request';
  if (error instanceof EnvironmentError || error instanceof GitError || error instanceof WorkspaceError)
    return 'environment';
  if (error instanceof EnvironmentFault) return 'environment';
  if (error instanceof WorkspaceHeldError || error instanceof StateFileHeldError) return 'held';
  if (error instanceof UnreadableError) return 'log';
  if (error instanceof LogError) return ['unavailable', 'lost'].includes(error.kind) ? 'environment' : 'log';
  return null;
}
