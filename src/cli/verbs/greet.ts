import { shellWords } from '../../text/shell-words.ts';
import type { Effective } from '../../config/load-config.ts';
import { placeOf } from '../../config/layer.ts';
import { isInGit } from '../../app/start/is-in-git.ts';
import { VERSION } from '../../log/program-version.ts';
import { plain } from '../../projections/phrases.ts';
import { thisProgram } from '../args/again.ts';
import { flagsFor, type Proposal, proposalFor } from '../args/proposal.ts';
import { asJson } from '../pages/as-json.ts';
import { Complaint } from '../pages/complaint.ts';
import { checksText, modelText } from '../pages/proposal-lines.ts';
import { failedResult } from '../pages/result.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** Stands for what the user wants done. */
const TASK = 'Say here what to do.';

const program = (word: string): string => shellWords([...thisProgram(), word]);

/** No verb was named: five lines say what is there, and one command that works. */
export async function greet(session: Session, { wantsResult }: { readonly wantsResult: boolean }): Promise<number> {
  const { out, err } = session.streams;
  const config = await session.configToShow();
  const proposal = await proposalFor(config, session.directory, process.env);
  const start = await startLine(session, proposal);
  const rows = [
    ['model', await namedModel(config, proposal)],
    ['checks', await namedChecks(config, proposal)],
    ['start', start],
    ['more', `${program('demo')} shows a run without a key; ${program('--help')} lists the verbs`],
  ] as const;
  const { bold, dim } = err.colours;
  err.line(`${bold(`loopfold ${VERSION}`)}  runs an AI agent in a loop until your checks prove the work`);
  for (const [name, text] of rows) err.line(`${dim(name.padEnd(7))} ${plain(text)}`);
  if (wantsResult) out.line(asJson(failedResult(new Complaint(EXIT.usage, 'no verb is named'), null, [start])));
  return EXIT.usage;
}

async function namedModel({ values, from }: Effective, proposal: Proposal): Promise<string> {
  const layer = from.get('model');
  return layer ? `${values.model} (${await placeOf(layer, ['model'])})` : modelText(proposal);
}

async function namedChecks({ values, from }: Effective, proposal: Proposal): Promise<string> {
  const layer = from.get('checks');
  if (!layer) return checksText(proposal);
  const names = (values.checks ?? []).map((check) => (typeof check === 'string' ? check : check.command));
  return `${names.join(', ') || 'none'} (${await placeOf(layer, ['checks'])})`;
}

/** A command that works here: without a model it is the demo, which needs none. */
async function startLine(session: Session, proposal: Proposal): Promise<string> {
  const { needsModel, models, checks } = proposal;
  if (needsModel && models.length === 0) return program('demo');
  const run = session.again(['run', ...flagsFor(proposal), TASK]);
  const needsGit = checks.length > 0 && !(await isInGit(session.directory));
  return needsGit ? `${shellWords(['git', 'init', session.directory])} && ${run}` : run;
}
