import type { Log, RunRecord } from '../../log/log.ts';
import { factOf } from '../../projections/fact.ts';
import { oneLine, span } from '../../projections/wording.ts';
import { shortId } from '../find-run.ts';
import { type Standing, standingOf } from '../standing.ts';
import type { Session } from '../session.ts';
import { columns } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';

const MAX_PROMPT_CHARS = 70;

interface Listed {
  readonly run: string;
  readonly standing: Standing;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  readonly continues: { readonly run: string; readonly version: number } | null;
  readonly prompt: string;
}

/** The runs of a log, newest first. Attempts are shown with the run they belong to. */
export async function runs(
  session: Session,
  { json, limit }: { readonly json?: boolean; readonly limit: string },
): Promise<number> {
  const { out, err } = session.streams;
  const most = wholeNumber('--limit', limit);
  const { log } = await session.loops('read');
  const all = (await log.runs()).filter(({ parentEffect }) => parentEffect === null).toReversed();
  const listed = await Promise.all(all.slice(0, most).map((record) => listedAs(log, record)));
  await log.close();
  if (json) out.line(JSON.stringify(listed, null, 2));
  else for (const line of columns(listed.map((one) => row(one, Date.now())))) out.line(line);
  if (listed.length === 0) err.line(`no runs yet. Try: ${session.again(['run', '--help'])}`);
  else if (all.length > listed.length) err.line(`${all.length - listed.length} more: --limit ${all.length}`);
  return 0;
}

async function listedAs(log: Log, record: RunRecord): Promise<Listed> {
  const { run, createdAt, updatedAt, version, forkedFrom } = record;
  const standing = await standingOf(log, record);
  return { run, standing, createdAt, updatedAt, version, continues: forkedFrom, prompt: await promptOf(log, run) };
}

async function promptOf(log: Log, run: string): Promise<string> {
  for await (const envelope of log.read(run, { to: 1 })) {
    const fact = factOf(envelope);
    if (fact.type === 'run.started') return fact.payload.settings.prompt;
  }
  return '';
}

const row = ({ run, standing, updatedAt, prompt }: Listed, now: number): string[] => [
  shortId(run),
  standing.kind === 'ended' ? standing.ending : standing.kind,
  `${span(Math.max(0, now - Date.parse(updatedAt)))} ago`,
  oneLine(prompt, MAX_PROMPT_CHARS),
];
