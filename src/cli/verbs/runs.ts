import { listedRuns } from '../../app/views/list-runs.ts';
import { asJson } from '../pages/as-json.ts';
import { damageIn, listedRow } from '../pages/run-line.ts';
import type { Session } from '../session.ts';
import { columns } from '../pages/table.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { wholeNumber } from '../args/whole-number.ts';

/**
 * The runs of a log, newest first. Attempts are shown with the run they belong to. A damaged run hides none of the
 * others: it is listed as one, and the status says so.
 */
export async function runs(
  session: Session,
  { json, limit }: { readonly json?: boolean; readonly limit: string },
): Promise<number> {
  const { out, err } = session.streams;
  const most = wholeNumber('--limit', limit);
  const { log, definitions } = await session.reading({ runs: { newest: most }, otherwise: 'ignore' });
  const { runs: newest, more } = await log.newest(most);
  const { listed, damage: ofReports } = await listedRuns(log, newest, definitions);
  await log.close();
  if (json) out.line(asJson(listed, 2));
  else for (const line of columns(listed.map((one) => listedRow(one, Date.now())))) out.brief(line);
  if (listed.length === 0) err.line(`no runs yet. Try: ${session.again(['run', '--help'])}`);
  else if (more > 0) err.line(`${more} more: --limit ${listed.length + more}`);
  const damage = damageIn(listed, ofReports);
  for (const line of damage) err.line(`${err.colours.red('damaged')}  ${line}`);
  return damage.length === 0 ? EXIT.success : EXIT.log;
}
