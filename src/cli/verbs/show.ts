import type { RunRecord } from '../../log/event-store.ts';
import { IntactTree } from '../../runtime/intact.ts';
import { NO_WORTH, worthOf } from '../../projections/grade-text.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import type { App } from '../../app/app.ts';
import { runChange } from '../../app/changes/run-change.ts';
import { asJson } from '../pages/as-json.ts';
import { findRun, type RunReference, shortId } from '../args/find-run.ts';
import { changeCommands, changeLines, knownChange } from '../pages/change-page.ts';
import { pageOf } from '../pages/read-page.ts';
import { nextAfter } from '../pages/next-after.ts';
import { answerCommands } from '../pages/next-commands.ts';
import { page, type Page, type PageWithoutStart, pageWithoutStart } from '../pages/run-page.ts';
import type { Session } from '../session.ts';

/** Shows one run on one page: its ending and why, the evidence, its iterations, its usage, next commands. */
export async function show(
  session: Session,
  reference: RunReference,
  { json, prompt }: { readonly json?: boolean; readonly prompt?: boolean },
): Promise<number> {
  if (prompt) return (await import('./show-prompt.ts')).showPrompt(session, reference, json === true);
  const { out, err } = session.streams;
  const loops = await session.reading({ runs: [reference], otherwise: 'warn' });
  const { log, definitions } = loops;
  const record = await findRun(log, reference);
  const intact = new IntactTree(log, record.run);
  const shown = await pageOf(log, record, definitions, intact);
  // While it works, its change is not complete.
  const change =
    shown.standing.kind === 'running' ? null : await knownChange(() => runChange(loops, record.run, {}, intact));
  const following = await nextOf(session, loops, record, shown);
  await log.close();
  const delivering = shown.reports.some(({ givenUpAt }) => givenUpAt === null) ? [['deliver']] : [];
  const isIsolated = 'settings' in shown && shown.settings.isolation !== undefined;
  const after = change ? changeCommands(change, isIsolated) : [];
  const again = (words: readonly string[]) => session.again(words);
  // A run's ending and its change may both suggest a command.
  const next = [...new Set([...delivering.map(again), ...following, ...after.map(again)])];
  const changed = change && change.files.length > 0 ? change.files : null;
  if (json) {
    const worth = 'settings' in shown ? worthOf(shown) : NO_WORTH;
    out.line(
      asJson(
        {
          ...shown,
          ...worth,
          change: changed,
          leftOut: change?.leftOut ?? [],
          deciding: change?.deciding ?? [],
          next,
        },
        2,
      ),
    );
  } else {
    for (const line of 'settings' in shown
      ? page(shown, knownLoop(shown.machine, definitions), out.colours)
      : pageWithoutStart(shown, out.colours))
      out.line(line);
    const diff = session.again(['diff', shortId(record.run)]);
    if (change) for (const line of changeLines(change, isIsolated, diff)) out.line(line);
    for (const command of next) err.line(`${err.colours.dim('next')}  ${command}`);
  }
  return 0;
}

/** The next commands: none for a child, whose parent has them; for a running run its open questions come first. */
async function nextOf(
  session: Session,
  loops: Pick<App, 'log' | 'definitions'>,
  { run, root }: RunRecord,
  shown: Page | PageWithoutStart,
): Promise<readonly string[]> {
  const again = (words: readonly string[]) => session.again(words);
  // Other verbs would refuse this run.
  if (!('settings' in shown) || shown.unreadable.length > 0) return [again(['events', run])];
  const { standing, ...summary } = shown;
  const questions = 'questions' in standing ? standing.questions : [];
  const answers = questions.flatMap((question) => answerCommands(root, question, questions));
  if (standing.kind === 'running') return [...answers, ['events', run, '--follow'], ['abort', run]].map(again);
  if (root !== run) return [...answers, ['show', root]].map(again);
  const itself = again(['show', shortId(run)]);
  return (await nextAfter(session, loops, run, summary, questions)).filter((command) => command !== itself);
}
