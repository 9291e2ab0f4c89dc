import type { Config } from '../../config/config.ts';
import type { Effective } from '../../config/load-config.ts';
import { saidNow } from '../../config/said-now.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { App } from '../../app/app.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { askedToContinue, runToContinue } from '../args/continue-flag.ts';
import { missingCap, offerCap } from '../args/offer-cap.ts';
import { optionsSaid } from '../args/options-here.ts';
import { readPrompt } from '../args/read-prompt.ts';
import type { RunFlags } from '../args/run-flags.ts';
import { watchRun } from '../live/watch-run.ts';
import type { Session } from '../session.ts';
import { dryRun, locatedIn } from './dry-run.ts';

interface ContinueFlags extends RunFlags {
  readonly continue: string | true;
}

/**
 * Goes on talking to a run that has ended, as a new run: with its conversation, and with its settings where no flag and
 * no variable says otherwise.
 */
export async function continueRun(session: Session, given: string | undefined, flags: ContinueFlags): Promise<number> {
  const format = await session.outputFormat();
  const { run: named, argument } = askedToContinue(flags.continue, given, flags.promptFile !== undefined);
  const { run } = await recordOf(session, named);
  const prompt = await readPrompt({ argument, file: flags.promptFile, stdin: process.stdin });
  const config = await session.config();
  const said = saidNow(config);
  const values = await optionsSaid(session);
  const loops = await session.loops('work', { runs: [{ run, last: false }], otherwise: 'refuse' });
  const options = { ...values, prompt, continues: run };
  const capped = withCapsOf(await readSettings(loops.log, run), { ...said, ...providersOf(config) });
  if (flags.dryRun) {
    return dryRun(session, loops, options, { format, json: flags.json ?? false, offered: await missingCap(capped) });
  }
  const checked = await loops.check(options).catch(locatedIn(session));
  await offerCap(session.streams, capped);
  return watchRun({ session, loops, format, begin: (watch) => loops.start(checked, watch) });
}

/** Its own loops are loaded once it is known which run it is. */
async function recordOf(session: Session, named: string | null): Promise<RunRecord> {
  const loops: App = await session.loops('read');
  try {
    return await runToContinue(loops, named, session.directory);
  } finally {
    await loops.log.close();
  }
}

const providersOf = ({ values: { providers } }: Effective): Pick<Config, 'providers'> =>
  providers === undefined ? {} : { providers };

/** With the model and the caps that the run takes over. */
function withCapsOf(settings: RunSettings | null, said: Config): Config {
  const { maxTokens = null, maxCostNanoUsd = null } = settings?.limits ?? {};
  return {
    ...(settings ? { model: settings.model } : {}),
    ...(maxTokens === null ? {} : { maxTokens }),
    ...(maxCostNanoUsd === null ? {} : { maxCost: 0 }),
    ...said,
  };
}
