import { CODER } from '../../config/agents/coder.ts';
import { type Config, runValues } from '../../config/config.ts';
import type { RunOptions } from '../../config/options.ts';
import { saidNow } from '../../config/said-now.ts';
import type { Session } from '../session.ts';

/** The options of a run but for what is to be done. */
export type OptionsHere = Omit<RunOptions, 'prompt'>;

/** The options of a run in the folder of a call, from its effective configuration. */
export async function optionsHere(session: Session, values: Config): Promise<OptionsHere> {
  // Never a page of that name: a repository could bring one that no person has named.
  const options = { agent: CODER, ...runValues(values) };
  return { ...options, ...(await loopIn(session, options)), directory: session.directory };
}

/** Those of a run that continues another one: what was said in this call, and no file, takes the place of its own. */
export async function optionsSaid(session: Session): Promise<OptionsHere> {
  const values = runValues(saidNow(await session.config()));
  return { ...values, ...(await loopIn(session, values)), directory: session.directory };
}

const loopIn = async (session: Session, { loop }: Pick<RunOptions, 'loop'>): Promise<Pick<RunOptions, 'loop'>> =>
  loop === undefined ? {} : { loop: await session.loopName(loop) };
