import { shellWords } from '../../text/shell-words.ts';
import { type ConfirmedDefaults, ConfirmedRecord } from '../../config/consent-record.ts';
import type { Config, OutputFormat } from '../../config/config.ts';
import { foldersUpwards, userFolder } from '../../config/places.ts';
import { Complaint } from '../pages/complaint.ts';
import { checksText, modelText } from '../pages/proposal-lines.ts';
import type { Session } from '../session.ts';
import { askProposal } from '../terminal/ask-proposal.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { isInsideCommand } from './run-around.ts';
import { flagsFor, type Proposal, proposalFor } from './proposal.ts';

const ANY_MODEL = 'openai/gpt-5';

interface Wanted {
  readonly format: OutputFormat;
  /** Nothing is confirmed: the options are those that a yes would give. */
  readonly isDryRun: boolean;
}

/**
 * The effective options of a new run. Where no model or checks are named, they are proposed: on a terminal the user
 * confirms them once for the folder; elsewhere a model is refused with the command that names it, and checks are only
 * offered. Throws a `Complaint` where there is no model.
 */
export async function withProposal(session: Session, { format, isDryRun }: Wanted): Promise<Config> {
  const config = await session.config();
  const proposal = await proposalFor(config, session.directory, process.env);
  const { needsModel, models, checks } = proposal;
  if (!needsModel && checks.length === 0) return config.values;
  if (needsModel && models.length === 0) throw unnamed(session, proposal, isDryRun);
  const confirmed = isDryRun ? unconfirmed(proposal) : await asked(session, proposal, format);
  return { ...config.values, ...(confirmed.model ? { model: confirmed.model } : {}), ...withChecks(confirmed) };
}

const unconfirmed = ({ needsModel, models: [first], checks }: Proposal): ConfirmedDefaults => ({
  ...(needsModel && first ? { model: first.model } : {}),
  ...(checks.length > 0 ? { checks: checks.map(({ command }) => command) } : {}),
});

const withChecks = ({ checks }: ConfirmedDefaults) => (checks ? { checks: [...checks] } : {});

async function asked(session: Session, proposal: Proposal, format: OutputFormat): Promise<ConfirmedDefaults> {
  const { err } = session.streams;
  const { needsModel } = proposal;
  const canAsk = format === 'text' && err.isTerminal && process.stdin.isTTY === true && !(await isInsideCommand());
  if (!canAsk) {
    if (needsModel) throw unnamed(session, proposal);
    offerChecks(session, proposal);
    return {};
  }
  const answer = await askProposal(err, proposal);
  if (answer.kind === 'confirmed') {
    await remember(session, answer.defaults);
    return answer.defaults;
  }
  if (needsModel) throw unnamed(session, proposal);
  if (answer.kind === 'refused') await remember(session, { checks: [] });
  return {};
}

async function remember({ directory, streams }: Session, defaults: ConfirmedDefaults): Promise<void> {
  const record = new ConfirmedRecord(userFolder(process.env));
  const [folder = directory] = await foldersUpwards(directory);
  await record.add(folder, defaults).catch(({ code }: NodeJS.ErrnoException) => {
    streams.err.line(`warning: it will be asked again: ${record.path} cannot be written (${code})`);
  });
}

/** No model is named: what there is, and the command that names one. */
function unnamed(session: Session, proposal: Proposal, isDryRun = false): Complaint {
  const { models, checks } = proposal;
  const expected = `model (--model): expected the name of a model, such as ${ANY_MODEL} or script:FILE, found none`;
  // It needs no key: any model that has a name will do.
  if (isDryRun) return new Complaint(EXIT.usage, expected, { command: session.withFlags(['-m', ANY_MODEL]) });
  const lines = [expected, `model   ${modelText(proposal)}`];
  if (models.length === 0) return new Complaint(EXIT.usage, lines.join('\n'), ['demo']);
  if (checks.length > 0) lines.push(`checks  ${checksText(proposal)}`);
  return new Complaint(EXIT.usage, lines.join('\n'), { command: session.withFlags(flagsFor(proposal)) });
}

function offerChecks({ streams: { err } }: Session, proposal: Proposal): void {
  const { checks } = proposal;
  const flags = checks.flatMap(({ command }) => ['--verify', command]);
  err.line(
    `no check is named, so nothing proves the work; ${checks.map(({ from }) => from).join(', ')}: ${shellWords(flags)}`,
  );
}
