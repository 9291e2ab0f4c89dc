import type { RunOptions } from '../../config/options.ts';
import { continueRun } from './continue-run.ts';
import { dryRun, locatedIn } from './dry-run.ts';
import { missingCap, offerCap } from '../args/offer-cap.ts';
import { optionsHere } from '../args/options-here.ts';
import { readPrompt } from '../args/read-prompt.ts';
import { withProposal } from '../args/with-proposal.ts';
import type { RunFlags } from '../args/run-flags.ts';
import { watchRun, type WatchedRun } from '../live/watch-run.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';

/** Starts a new run. Nothing is written before its options, model and folder are checked. */
export async function run(session: Session, argument: string | undefined, flags: RunFlags): Promise<number> {
  if (flags.json && !flags.dryRun) throw usage('--json', '--dry-run beside it, or --output-format json', 'a run', HELP);
  if (flags.continue !== undefined) return continueRun(session, argument, { ...flags, continue: flags.continue });
  const format = await session.outputFormat();
  const prompt = await readPrompt({ argument, file: flags.promptFile, stdin: process.stdin });
  const isDryRun = flags.dryRun ?? false;
  const values = await withProposal(session, { format, isDryRun });
  const asked = { ...(await optionsHere(session, values)), prompt };
  if (isDryRun) {
    const shown = { offered: await missingCap(values), json: flags.json ?? false, format };
    return dryRun(session, await session.loopsNowhere(), asked, shown);
  }
  return startRun(session, asked, { format, rehearsed: () => offerCap(session.streams, values) });
}

const HELP = ['run', '--help'];

interface HowToStart extends Pick<WatchedRun, 'format' | 'product'> {
  /** Called when nothing is in the way of the run, and nothing is written yet. */
  readonly rehearsed?: () => Promise<void>;
}

export async function startRun(
  session: Session,
  options: RunOptions,
  { rehearsed, ...how }: HowToStart,
): Promise<number> {
  // Errors of the options, the model or the folder are found before a log is created.
  const checked = await (await session.loopsNowhere()).check(options).catch(locatedIn(session));
  await rehearsed?.();
  const loops = await session.loopsOrNew();
  return watchRun({ session, loops, ...how, begin: (watch) => loops.start(checked, watch) });
}
