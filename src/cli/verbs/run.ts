import { Loops } from '../../hosts/local/loops.ts';
import type { RunOptions } from '../../config/options.ts';
import { openStore } from '../../hosts/local/store.ts';
import { readPrompt } from '../prompt.ts';
import { type RunFlags, runOptions } from '../run-flags.ts';
import { serve, type Serving } from '../serve.ts';
import type { Session } from '../session.ts';

/** A new run. Nothing is written before it is sure that it can start. */
export async function run(session: Session, argument: string | undefined, flags: RunFlags): Promise<number> {
  const prompt = await readPrompt({ argument, file: flags.promptFile, stdin: process.stdin });
  return startRun(session, runOptions(prompt, session.directory, flags), { format: flags.outputFormat });
}

export async function startRun(
  session: Session,
  options: RunOptions,
  how: Pick<Serving, 'format' | 'product'>,
): Promise<number> {
  await rehearse(options);
  const loops = await session.loopsOrNew();
  return serve({ session, loops, ...how, begin: (watch) => loops.start(options, watch) });
}

/** Whatever is wrong with the options, the model or the folder is found before a log is made for it. */
async function rehearse(options: RunOptions): Promise<void> {
  await new Loops({ log: await openStore(NOWHERE, 'read') }).check(options);
}

const NOWHERE = { path: null, isDefault: false };
