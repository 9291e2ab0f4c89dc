import type { RunSettings } from '../../../../machines/settings.ts';
import { checksOfWork } from '../../../config/clean-tree.ts';
import { DEPENDENCY_FOLDERS } from '../../../config/defaults.ts';
import type { RunOptions } from '../../../config/options.ts';
import { type WorkspaceGrounds, workspaceGrounds } from '../workspace-grounds.ts';

/** What the checks of a run that is to start rest on, in the workspace as it is. */
export const previewedGrounds = (
  { directory, checks }: RunSettings,
  { protect = [], unprotect = [], deps = [...DEPENDENCY_FOLDERS] }: RunOptions,
): Promise<WorkspaceGrounds> => workspaceGrounds(directory, { checks: checksOfWork(checks), protect, unprotect, deps });
