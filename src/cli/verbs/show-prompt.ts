import { readTold } from '../../projections/read-told.ts';
import { findRun, type RunReference } from '../args/find-run.ts';
import { asJson } from '../pages/as-json.ts';
import { toldPage } from '../pages/tell-page.ts';
import type { Session } from '../session.ts';

/** Shows what the model of a run was told. */
export async function showPrompt(session: Session, reference: RunReference, json: boolean): Promise<number> {
  const { out } = session.streams;
  const { log, definitions } = await session.reading({ runs: [reference], otherwise: 'warn' });
  const told = await readTold(log, await findRun(log, reference), definitions);
  await log.close();
  if (json) out.line(asJson(told, 2));
  else for (const line of toldPage(told, out.colours)) out.line(line);
  return 0;
}
