import type { Log } from '../../log/log.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { unreadableText } from '../../log/unreadable.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { endingName } from '../../projections/phrases.ts';
import { NANO_USD_PER_USD } from '../../text/money.ts';
import { asJson } from '../pages/as-json.ts';
import { damageIn, type Listed, listedAsDamaged, listedRow, reportsOwed } from '../pages/listed-run.ts';
import { readWait } from '../../projections/read-wait.ts';
import { standingOf } from '../pages/run-status.ts';
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
  const reports = await reportsOwed(log);
  const listed = await Promise.all(
    newest.map(async (record) => ({
      ...(await listedAs(log, record, definitions).catch((error: unknown) => listedAsDamaged(record, error))),
      owed: reports.damage === null ? (reports.owed.get(record.run)?.length ?? 0) : null,
    })),
  );
  await log.close();
  if (json) out.line(asJson(listed, 2));
  else for (const line of columns(listed.map((one) => listedRow(one, Date.now())))) out.brief(line);
  if (listed.length === 0) err.line(`no runs yet. Try: ${session.again(['run', '--help'])}`);
  else if (more > 0) err.line(`${more} more: --limit ${listed.length + more}`);
  const damage = damageIn(listed, reports.damage);
  for (const line of damage) err.line(`${err.colours.red('damaged')}  ${line}`);
  return damage.length === 0 ? EXIT.success : EXIT.log;
}

async function listedAs(log: Log, record: RunRecord, loops: readonly LoopDefinition[]): Promise<Omit<Listed, 'owed'>> {
  const { run, createdAt, updatedAt, version, forkedFrom } = record;
  const standing = await standingOf(log, record, loops);
  // The list does not verify hash chains: the verbs that build on a run do.
  const { summary: page, unreadable } = await summarise(log, run, loops);
  const costUsd = page?.spend.costNanoUsd === undefined ? null : page.spend.costNanoUsd / NANO_USD_PER_USD;
  const outcome = page?.ending?.outcome ?? null;
  const verdict = outcome && endingName(outcome, (page?.settings.checks.length ?? 0) > 0);
  const [first] = unreadable;
  const prompt = page?.settings.prompt ?? (first ? `cannot be read: ${first.type}: ${unreadableText(first)}` : '');
  return {
    run,
    standing,
    outcome,
    verdict,
    createdAt,
    updatedAt,
    version,
    continues: forkedFrom,
    waitsUntil: standing.kind === 'ended' ? null : await readWait(log, record, loops),
    costUsd,
    unreadable: unreadable.length,
    prompt,
    task: page?.task ?? prompt,
  };
}
