import { CANNOT_CHECK } from '../../evidence/cannot-run.ts';
import { curesIn } from '../../evidence/lack-text.ts';
import type { App } from '../../app/app.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import type { Question } from '../../projections/questions.ts';
import { readNext } from '../../projections/read-next.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { shortId } from '../args/find-run.ts';
import type { Session } from '../session.ts';
import { nextCommands, talking } from './next-commands.ts';

type Ended = Parameters<typeof nextCommands>[1] & Pick<RunSummary, 'machine'>;

/** Commands, for a user to paste, after a run: those that its loop proposes take the place of its bare events. */
export async function nextAfter(
  session: Session,
  { log, definitions }: Pick<App, 'log' | 'definitions'>,
  run: string,
  summary: Ended,
  questions: readonly Question[] = [],
): Promise<readonly string[]> {
  const loop = knownLoop(summary.machine, definitions);
  const general = nextCommands(run, summary, loop, questions);
  const isOver = summary.ending !== null && !summary.paused;
  const own = isOver ? await readNext(log, { run, name: shortId(run), loop }, definitions) : [];
  const cures = isOver ? curesOf(summary) : [];
  const cured = cures.length === 0 ? null : session.startedAnew(cures);
  return [
    ...(cured === null ? [] : [cured]),
    ...own.map((step) => (step.kind === 'command' ? session.again(step.words) : session.anew(step.verb, step.flags))),
    ...general.filter(([verb]) => own.length === 0 || verb !== 'events').map((words) => session.again(words)),
  ];
}

/** The same of a run that had ended before: it can be talked to, too. */
export const nextOnceOver = async (...[session, loops, run, summary]: Parameters<typeof nextAfter>) => [
  ...(await nextAfter(session, loops, run, summary)),
  session.again(talking(run)),
];

/** The flags that give the checks of a run what no checkout had: it has ended for the lack of that. */
function curesOf({ ending }: Ended): readonly string[] {
  const fault = ending?.outcome.ending === 'abort' ? ending.outcome.fault : undefined;
  return fault?.code === CANNOT_CHECK ? curesIn(fault.message) : [];
}
