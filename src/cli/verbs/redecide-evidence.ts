import { runEvidence, type RunEvidence } from '../../app/proof/evidence-of-run.ts';
import { plain } from '../../projections/phrases.ts';
import { chosenRuns, ownLoopsOf, type RedecideFlags } from '../args/runs-to-judge.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import { judgedEvidenceLines } from '../pages/evidence-page.ts';
import type { Session } from '../session.ts';

/** Shows what the rules of today would have called recorded runs, by what was recorded of them. */
export async function redecideEvidence(
  session: Session,
  ids: readonly string[],
  { json = false, all = false, last = false, ...judges }: RedecideFlags,
): Promise<number> {
  const [other] = Object.entries(judges).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (other !== undefined) throw usage('--evidence', 'no other judge: the rules of evidence are those of today', other);
  const { out, err } = session.streams;
  const loops = await session.loops('read', ownLoopsOf(ids, { all, last }));
  const judged: RunEvidence[] = [];
  for (const { run } of await chosenRuns(loops, ids, { all, last })) {
    const one = await runEvidence(loops, run);
    if (one) judged.push(one);
    else err.line(`left out: the start of run ${plain(run)} cannot be read`);
  }
  await loops.log.close();
  if (json) out.line(asJson(judged, 2));
  else for (const line of judgedEvidenceLines(judged)) out.line(line);
  return 0;
}
