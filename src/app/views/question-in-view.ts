import { askedDispute } from '../proof/question-dispute.ts';
import type { RecordedRuns } from '../records/runs-of-log.ts';
import { accessText } from '../../kernel/access-through-walls.ts';
import type { Question } from '../../projections/questions.ts';
import { head } from '../../text/excerpt.ts';
import { visible } from '../../text/visible.ts';
import type { AskedView } from './run-parts-view.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

const MAX_QUESTION_CHARS = 6_000;
const MAX_CHOICE_CHARS = 200;

/** A question as a page shows it: with the difference, where it is about changed tests. */
export async function askedView(host: Host, root: string, question: Question): Promise<AskedView> {
  const { run, callId, kind, text, choices, path, opens, approval, remembers = [], askedAt } = question;
  const dispute = await askedDispute(host, question);
  const place = path === null ? '' : accessText({ path, opens });
  const said = dispute ? (text.split('\n', 1)[0] ?? '') : text;
  return {
    root,
    run,
    callId,
    kind,
    text: shown(kind === 'access' ? `permission for ${place}: ${said}` : said, MAX_QUESTION_CHARS),
    choices: choices.map((choice) => shown(choice, MAX_CHOICE_CHARS)),
    allows: approval ? shown(approval.allows, MAX_QUESTION_CHARS) : null,
    digest: approval?.digest ?? null,
    remembers: remembers.map((name) => shown(name, MAX_QUESTION_CHARS)),
    diff: dispute ? visible(dispute.diff) : null,
    askedAt,
  };
}

const shown = (text: string, most: number): string => visible(head(text, most));
