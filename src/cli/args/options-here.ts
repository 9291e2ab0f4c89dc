import { CODER } from '../../config/agents/coder.ts';
import { type Config, runValues } from '../../config/config.ts';
import type { RunOptions } from '../../config/options.ts';
import type { Session } from '../session.ts';

/** The options of a run in the folder of a call, from its effective configuration: all but what is to be done. */
export async function optionsHere(session: Session, values: Config): Promise<Omit<RunOptions, 'prompt'>> {
  // Never a page of that name: a repository could bring one that no person has named.
  const options = { agent: CODER, ...runValues(values) };
  const loop = options.loop === undefined ? {} : { loop: await session.loopName(options.loop) };
  return { ...options, ...loop, directory: session.directory };
}
