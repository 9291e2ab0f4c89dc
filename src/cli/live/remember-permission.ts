import { PermissionLedger } from '../../config/permission-ledger.ts';
import { userFolder } from '../../config/places.ts';
import type { App } from '../../app/app.ts';
import type { Question } from '../../projections/questions.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { usage } from '../pages/complaint.ts';
import type { Output } from '../terminal/output.ts';

/** How long a person allows what a call does: in its run and those below it, or in every run of the project. */
export const REMEMBERED = ['run', 'project'] as const;

/** Where a flag says that it is allowed for good. Throws a `Complaint` for another word. */
export function rememberedIn(flag: string | undefined): (typeof REMEMBERED)[number] | undefined {
  const kept = REMEMBERED.find((one) => one === flag);
  if (flag !== undefined && kept === undefined) throw usage('--remember', REMEMBERED.join(' or '), flag);
  return kept;
}

/** Notes what a person has allowed for good in the project of a run. Where it cannot, that holds in the run alone. */
export async function rememberInProject(
  { log }: Pick<App, 'log'>,
  { run, remembers }: Question,
  err: Output,
): Promise<void> {
  const settings = await readSettings(log, run);
  if (!settings || !remembers) return;
  const ledger = new PermissionLedger(userFolder(process.env));
  await ledger
    .add(settings.isolation?.origin ?? settings.directory, remembers)
    .catch((error: NodeJS.ErrnoException) => {
      err.line(`warning: it holds in this run alone: ${ledger.path} cannot be written (${error.code})`);
    });
}
