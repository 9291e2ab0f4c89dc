import type { Log } from '../../log/log.ts';
import type { Submission } from '../../log/queue-store.ts';
import { oneLine } from '../../projections/phrases.ts';
import { shortId } from '../args/find-run.ts';
import { asJson } from '../pages/as-json.ts';
import { columns } from '../pages/table.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** The longest text that is listed of a task, or of a reason. */
const MAX_LISTED_CHARS = 72;

/** Lists what was submitted and has not ended, the oldest first. */
export async function queue(session: Session, { json = false }: { readonly json?: boolean }): Promise<number> {
  const { out, err } = session.streams;
  const { log } = await session.reading();
  const listed = await openIn(log);
  await log.close();
  if (json) out.line(asJson(listed, 2));
  else for (const line of columns(listed.map(rowOf))) out.brief(line);
  if (listed.length === 0) err.line(`nothing is submitted. Try: ${session.again(['submit', '--help'])}`);
  return EXIT.success;
}

/** One whose run a person has ended is left out. */
async function openIn(log: Log): Promise<readonly Submission[]> {
  const listed: Submission[] = [];
  for (const one of await log.submissions()) {
    const closed = (await log.run(one.run))?.closed ?? null;
    if (closed === null) listed.push(one);
  }
  return listed;
}

function rowOf({ run, standing, dueAt, limit, because, task }: Submission): readonly string[] {
  const { prompt = '' } = Object(task) as { readonly prompt?: unknown };
  const when = standing === 'due' ? `due ${dueAt}` : standing;
  const text = because ?? (typeof prompt === 'string' ? prompt : '');
  return [
    shortId(run),
    when,
    limit === null ? '' : oneLine(limit.key, MAX_LISTED_CHARS),
    oneLine(text, MAX_LISTED_CHARS),
  ];
}
