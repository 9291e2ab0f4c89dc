import type { RunSettings } from '../../../machines/settings.ts';
import type { RunOptions } from '../../config/options.ts';
import type { AppHost } from '../app-host.ts';
import { toldSettings } from '../opening/settings-text.ts';
import { preparedRun, type PreparedRun } from '../start/prepare-run.ts';
import { describedModels } from '../start/runnable.ts';
import { changedSince, withMessage } from '../thread/change-since.ts';
import { capturedAsMarked, isCaptured } from '../running/mark-workspace.ts';

/** The settings of a run, but for what only its start knows. Throws what its start throws, but for missing keys. */
export async function previewedSettings(host: AppHost, options: RunOptions): Promise<Omit<PreparedRun, 'past'>> {
  const { past, ...prepared } = await preparedRun(host, options, describedModels);
  const { settings, warnings } = await toldSettings(host, options, prepared);
  const told = { ...prepared, settings, warnings: [...prepared.warnings, ...warnings] };
  // The worktree of such a run has the files of a commit, and not those that are in the folder.
  if (!past || options.isolateFrom === 'HEAD') return told;
  const changed = await changedSince(past, settings, await treeNow(host, past.run, settings));
  if (changed === null) return told;
  const history = withMessage(settings.history ?? [], changed.message);
  return { ...told, settings: { ...settings, history }, warnings: [...told.warnings, changed.warning] };
}

/** The tree of the workspace, kept under no name. Null: the run would have no capture. */
async function treeNow(host: AppHost, run: string, settings: RunSettings): Promise<string | null> {
  const marked = { host, run, settings };
  return isCaptured(marked) ? (await capturedAsMarked(marked, null)).hash : null;
}
