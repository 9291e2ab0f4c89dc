import { inboxOf } from '../../app/people/question-places.ts';
import type { InboxItem } from '../../projections/read-inbox.ts';
import { oneLine, span } from '../../projections/phrases.ts';
import { shortId } from '../args/find-run.ts';
import { wholeNumber } from '../args/whole-number.ts';
import { asJson } from '../pages/as-json.ts';
import { answerCommands } from '../pages/next-commands.ts';
import type { Session } from '../session.ts';
import { questionLines } from '../terminal/question-lines.ts';

const MAX_REASON_CHARS = 500;

export interface InboxFlags {
  readonly json?: boolean;
  readonly newest?: boolean;
  readonly limit: string;
}

/** Lists what all runs of a log wait for people to do, the longest wait first, with the command that answers each. */
export async function inbox(session: Session, { json, newest, limit }: InboxFlags): Promise<number> {
  const { out, err } = session.streams;
  const most = wholeNumber('--limit', limit);
  const { log, definitions } = await session.reading();
  const wanted = { most, newest: newest === true };
  const { items: all, unlooked } = await inboxOf(log, session.loopsAsNeeded(log, definitions), wanted);
  await log.close();
  const listed = all.slice(0, most);
  const commandsOf = (item: InboxItem) => commands(item, all).map((words) => session.again(words));
  if (json) {
    out.line(
      asJson(
        listed.map((item) => ({ ...asData(item), commands: commandsOf(item) })),
        2,
      ),
    );
  } else {
    for (const item of listed) {
      for (const line of linesOf(item, Date.now())) out.brief(line);
      for (const command of commandsOf(item)) out.line(`  ${command}`);
    }
  }
  if (all.length === 0) err.line('no run waits for a person');
  else if (unlooked > 0)
    err.line(`${all.length - listed.length + unlooked} more may wait: --limit ${all.length + unlooked}`);
  else if (all.length > listed.length) err.line(`${all.length - listed.length} more: --limit ${all.length}`);
  return 0;
}

/** As one object: the question's own members, with the root of its tree as `root`. */
const asData = (item: InboxItem) => {
  const { run, since, kind } = item;
  if (kind === 'question') return { root: run, since, ...item.question };
  return { root: run, since, kind, run, text: kind === 'remedy' ? item.text : item.reason };
};

function linesOf(item: InboxItem, now: number): readonly string[] {
  const waits = span(Math.max(0, now - Date.parse(item.since)));
  const head = `run ${shortId(item.run)}  since ${item.since} (${waits})`;
  if (item.kind === 'question') return [head, ...questionLines(item.question)];
  if (item.kind === 'remedy') return [head, `! ${oneLine(item.text, MAX_REASON_CHARS)}`];
  return [head, `! cannot be read here: ${oneLine(item.reason, MAX_REASON_CHARS)}`];
}

function commands(item: InboxItem, all: readonly InboxItem[]): readonly (readonly string[])[] {
  if (item.kind === 'unreadable') return [['events', shortId(item.run)]];
  if (item.kind === 'remedy') return [['resume', shortId(item.run)]];
  const open = all.flatMap((one) => (one.kind === 'question' && one.run === item.run ? [one.question] : []));
  return answerCommands(item.run, item.question, open);
}
