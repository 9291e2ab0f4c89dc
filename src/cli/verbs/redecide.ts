import { plain } from '../../projections/phrases.ts';
import { tallied } from '../../redecide/tally.ts';
import type { RedecidedTree } from '../../redecide/redecide-tree.ts';
import { notFoldedSentence } from '../../runtime/unfoldable.ts';
import { asJson } from '../pages/as-json.ts';
import { redecidedPage } from '../pages/redecision-page.ts';
import { judgeTable } from '../pages/judge-table.ts';
import { refusal } from '../pages/refusal-text.ts';
import { askableRuns, chosenRuns, ownLoopsOf, judgesIn, type RedecideFlags } from '../args/runs-to-judge.ts';
import type { Session } from '../session.ts';

interface Asked {
  readonly judge: string;
  readonly trees: readonly RedecidedTree[];
}

/**
 * Shows what another judge would have decided over recorded runs: one run in full; several as a table, one line a
 * judge.
 */
export async function redecide(session: Session, ids: readonly string[], flags: RedecideFlags): Promise<number> {
  const { out, err } = session.streams;
  const judges = judgesIn(flags);
  const loops = await session.loops('read', ownLoopsOf(ids, flags));
  const records = await chosenRuns(loops, ids, flags);
  const runs = await askableRuns(records, loops, flags, (line) => err.line(line));
  const asked: Asked[] = [];
  for (const { name, options } of judges) {
    const trees: RedecidedTree[] = [];
    for (const { run } of runs) {
      const judged = await loops.redecide(run, options);
      if (judged.kind === 'redecided') trees.push(judged.tree);
      else if (records.length === 1 || judged.kind === 'unknown_run') throw refusal(judged, run);
      else err.line(`left out: ${plain(notFoldedSentence(judged, run))}`);
    }
    asked.push({ judge: name, trees });
  }
  await loops.log.close();
  const [first] = asked;
  const [only] = first?.trees ?? [];
  if (first && only && asked.length === 1 && records.length === 1 && !flags.all) {
    if (flags.json) out.line(asJson({ judge: first.judge, ...only }, 2));
    else for (const line of redecidedPage(first.judge, only, loops.definitions, out.colours)) out.line(line);
    return 0;
  }
  if (flags.json)
    out.line(
      asJson(
        asked.map(({ judge, trees }) => ({ judge, ...tallied(trees), trees: trees.map(briefly) })),
        2,
      ),
    );
  else
    for (const line of judgeTable(asked.map(({ judge, trees }) => ({ judge, tally: tallied(trees) })))) out.line(line);
  return 0;
}

const briefly = ({
  redecided: { run },
  conclusion,
  turn: first,
  differsFrom,
  isOpen,
  saved,
  judgements,
  agreeing,
}: RedecidedTree) => ({
  run,
  conclusion,
  turn: first,
  differsFrom,
  isOpen,
  saved,
  judgements,
  agreeing,
});
