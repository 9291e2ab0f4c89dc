import { constants } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, open, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGoOutput } from '../../evidence/go-output.ts';
import type { SelectedTests } from '../../evidence/test-selection.ts';
import { joinedLists, type TestList } from '../../evidence/test-list.ts';
import { readTeamcity } from '../../evidence/teamcity-output.ts';
import { readTestRecords } from '../../evidence/test-records.ts';
import { REPORTER_MODULES } from '../reporter-modules.ts';
import type { ReportFolders } from './report-environment.ts';

/** Where the test runners of checks report, each check into a folder of its own. */
export interface ReportPlace {
  readonly folder: string;
  /** The same folder, as checks see it. */
  readonly seen: string;
  /** The top of the workspace, by each name that checks may see it by. */
  readonly tops: readonly string[];
}

const REPORTS = 'reports';

const OURS = fileURLToPath(new URL('./reporters/', import.meta.url));
/** A package need not keep what may be run. */
const PROGRAMS = ['bin/node', 'go-exec.sh'];

/** Of one check: what is beyond them is not read, and the report counts as cut. */
const MAX_REPORTS_BYTES = 64 * 1024 * 1024;
const MAX_REPORTS = 10_000;
const CUT: TestList = { tests: [], complete: false };

/** Fills the folder of a place, which checks see under another path or the same. */
export async function makeReportPlace(folder: string, seen = folder): Promise<void> {
  await mkdir(join(folder, REPORTS), { recursive: true });
  await cp(OURS, join(folder, REPORTER_MODULES), { recursive: true });
  for (const program of PROGRAMS) await chmod(join(folder, REPORTER_MODULES, program), 0o755);
  // PHP takes no path from where its settings are.
  const prepended = join(seen, REPORTER_MODULES, 'php', 'prepend.php');
  const settings = /["$\\]/.test(prepended) ? '' : `auto_prepend_file = "${prepended}"\n`;
  await writeFile(join(folder, REPORTER_MODULES, 'php', 'loopfold.ini'), settings);
}

/** Makes the folder of one check, and reads it after the check has ended. Null then: no runner has reported. */
export async function expectReports(
  { folder, seen, tops }: ReportPlace,
  only?: SelectedTests,
): Promise<{
  readonly folders: ReportFolders;
  readonly read: () => Promise<TestList | null>;
}> {
  const own = await mkdtemp(join(folder, REPORTS, 'check-'));
  const folders = { modules: join(seen, REPORTER_MODULES), reports: join(seen, REPORTS, basename(own)), only };
  return { folders, read: () => readReports(own, tops) };
}

async function readReports(folder: string, tops: readonly string[]): Promise<TestList | null> {
  const names = (await readdir(folder)).toSorted();
  const lists: TestList[] = names.length > MAX_REPORTS ? [CUT] : [];
  let room = MAX_REPORTS_BYTES;
  for (const name of names.slice(0, MAX_REPORTS)) {
    const text = await textOf(join(folder, name), room);
    room -= text?.length ?? 0;
    lists.push(text === null ? CUT : readOne(name, text, tops));
  }
  return joinedLists(lists);
}

function readOne(name: string, text: string, tops: readonly string[]): TestList {
  if (name.endsWith('.go')) return readGoOutput(text, tops);
  return name.endsWith('.teamcity') ? readTeamcity(text, tops) : (readTestRecords(text, tops) ?? CUT);
}

/** Null: it is no regular file, or too long. */
async function textOf(path: string, maxBytes: number): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  try {
    const stats = await file?.stat();
    return file && stats?.isFile() && stats.size <= maxBytes ? await file.readFile('utf8') : null;
  } finally {
    await file?.close();
  }
}
