import { setImmediate } from 'node:timers/promises';
import type { ChangeOptions } from '../../config/change.ts';
import type { App } from '../app.ts';
import { KeptReading } from '../judging/judge-again.ts';
import { OptionsError } from '../start/options-error.ts';
import { obstacleOf } from '../running/obstacle.ts';
import { isDecision, verdictOf } from '../../redecide/redecision.ts';
import type { RedecidedTree } from '../../redecide/redecide-tree.ts';
import { tallied } from '../../redecide/tally.ts';
import type { IntactTree } from '../../runtime/intact.ts';
import { notFoldedSentence } from '../../runtime/unfoldable.ts';
import type { LabLine } from './lab-view.ts';
import { redecidedView } from './redecision-view.ts';
import { MAX_LINE_CHARS, shownText } from './line-for-view.ts';

export interface JudgeRuns {
  /** The runs, in the order in which they are judged. */
  readonly runs: readonly string[];
  /** What each judge changes of that of a run. Empty: the judge of today. */
  readonly judges: readonly ChangeOptions[];
  /** Remembers that the history of a run was verified. */
  readonly intactOf: (run: string) => IntactTree;
  readonly signal: AbortSignal;
}

type Counted = Parameters<typeof tallied>[0][number];

/** Lets judges decide over recorded runs: a line for each run and judge as soon as it is known, then their sums. */
export async function* judgeRuns(loops: Pick<App, 'redecide'>, asked: JudgeRuns): AsyncGenerator<LabLine> {
  const { runs, judges, intactOf, signal } = asked;
  const counted = judges.map((): Counted[] => []);
  for (const run of runs) {
    const reading = new KeptReading();
    for (const [judge, change] of judges.entries()) {
      // Others who ask the server something wait for one run at most.
      await setImmediate();
      if (signal.aborted) return;
      const line = await judgedBy(loops, { run, judge, change, intact: intactOf(run), reading });
      if (line.kind === 'judged') counted[judge]?.push(line);
      yield line;
    }
  }
  for (const [judge, lines] of counted.entries()) yield { kind: 'tally', judge, ...tallied(lines) };
}

interface OneRun {
  readonly run: string;
  readonly judge: number;
  readonly change: ChangeOptions;
  readonly intact: IntactTree;
  readonly reading: KeptReading;
}

async function judgedBy(loops: Pick<App, 'redecide'>, one: OneRun): Promise<LabLine> {
  const { run, judge, change, intact, reading } = one;
  const leftOut = (because: string): LabLine => ({
    kind: 'left_out',
    judge,
    run,
    because: shownText(because, MAX_LINE_CHARS),
  });
  try {
    const judged = await loops.redecide(run, change, { intact, reading, runsNoCode: true });
    if (judged.kind === 'redecided') return judgedLine(judge, judged.tree);
    return leftOut(judged.kind === 'unknown_run' ? 'the log has no such run' : notFoldedSentence(judged, run));
  } catch (error) {
    // A damaged run, or one that has no such judge, hides none of the others.
    if (error instanceof OptionsError || obstacleOf(error) === 'log') return leftOut((error as Error).message);
    throw error;
  }
}

function judgedLine(judge: number, tree: RedecidedTree): LabLine {
  const { decisions: _, ...view } = redecidedView(tree);
  const last = tree.redecided.redecisions.findLast(isDecision);
  const { isOpen, saved } = tree;
  return { kind: 'judged', judge, ...view, recorded: last ? verdictOf(last.recorded) : null, isOpen, saved };
}
