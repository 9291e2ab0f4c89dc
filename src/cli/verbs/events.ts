import type { Envelope } from '../../log/envelope.ts';
import { factOf } from '../../projections/fact.ts';
import { timelineEntry } from '../../projections/timeline.ts';
import { asJson } from '../as-json.ts';
import { findRun, type RunReference } from '../find-run.ts';
import type { Output } from '../output.ts';
import type { Session } from '../session.ts';

const TYPE_WIDTH = 22;

/** What happened in a run, a line for each event; with `--follow`, also what happens until it has ended. */
export async function events(
  session: Session,
  reference: RunReference,
  { json = false, follow = false }: { readonly json?: boolean; readonly follow?: boolean },
): Promise<number> {
  const { out } = session.streams;
  const { log } = await session.loops('read');
  const { run } = await findRun(log, reference);
  const { signal } = new AbortController();
  for await (const envelope of follow ? log.follow(run, { signal }) : log.read(run)) {
    if (json) out.line(asJson(envelope));
    else out.brief(line(envelope, out));
    if (!out.isOpen) break;
  }
  await log.close();
  return 0;
}

function line(envelope: Envelope, { colours: { dim, cyan } }: Output): string {
  const { version, at, type, text } = timelineEntry(factOf(envelope));
  const place = `${String(version).padStart(5)}  ${dim(at.slice(11, 23))}`;
  return `${place}  ${cyan(type.padEnd(TYPE_WIDTH))}  ${text}`.trimEnd();
}
