import { OptionsError } from '../../hosts/local/options-error.ts';
import type { RunOptions } from '../../config/options.ts';
import { readPrompt } from '../prompt.ts';
import type { RunFlags } from '../run-flags.ts';
import { serve, type Serving } from '../serve.ts';
import type { Session } from '../session.ts';

/** A new run. Nothing is written before it is sure that it can start. */
export async function run(session: Session, argument: string | undefined, flags: RunFlags): Promise<number> {
  const format = await session.outputFormat();
  const prompt = await readPrompt({ argument, file: flags.promptFile, stdin: process.stdin });
  const { log: _log, providers: _providers, outputFormat: _format, ...options } = (await session.config()).values;
  // Without a name a host's own model would answer, and a command line has none: an empty one is refused.
  const { model = '' } = options;
  const loop = options.loop === undefined ? {} : { loop: await session.loopName(options.loop) };
  return startRun(session, { ...options, ...loop, prompt, directory: session.directory, model }, { format });
}

export async function startRun(
  session: Session,
  options: RunOptions,
  how: Pick<Serving, 'format' | 'product'>,
): Promise<number> {
  await rehearse(session, options);
  const loops = await session.loopsOrNew();
  return serve({ session, loops, ...how, begin: (watch) => loops.start(options, watch) });
}

/** Whatever is wrong with the options, the model or the folder is found before a log is made for it. */
async function rehearse(session: Session, options: RunOptions): Promise<void> {
  const loops = await session.loopsNowhere();
  await loops.check(options).catch(async (error: unknown) => {
    throw error instanceof OptionsError ? new OptionsError(await session.located(error.faults)) : error;
  });
}
