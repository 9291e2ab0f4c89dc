import { realpath, rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '../../log/temporary-folders.ts';
import { makeReportPlace, type ReportPlace } from './report-place.ts';

export interface WorkspaceReports {
  readonly reports: ReportPlace;
  readonly remove: () => Promise<void>;
}

/**
 * A folder in which the test runners of checks in the workspace report, so that failed tests have names also where a
 * runner prints no report. It proves nothing: the work runs beside it. Null: no folder can be made.
 *
 * @example
 * const place = await workspaceReports('/work');
 * await place?.remove();
 */
export async function workspaceReports(directory: string): Promise<WorkspaceReports | null> {
  let folder: string | null = null;
  const remove = async () => {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  };
  try {
    folder = await realpath(await makeTemporaryFolder('reports'));
    await makeReportPlace(folder);
    const tops = [directory, await realpath(directory)];
    return { reports: { folder, seen: folder, tops }, remove };
  } catch {
    await remove().catch(() => {});
    return null;
  }
}
