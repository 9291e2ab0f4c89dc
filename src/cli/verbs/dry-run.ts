import type { OutputFormat } from '../../config/config.ts';
import type { RunOptions } from '../../config/options.ts';
import type { OfferedCap } from '../../app/start/cap-offer.ts';
import type { App } from '../../app/app.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { asJson } from '../pages/as-json.ts';
import { previewJson, previewPage } from '../pages/preview-page.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

interface HowToShow {
  readonly format: OutputFormat;
  /** On several lines. */
  readonly json: boolean;
  /** A cap for a run that has none. */
  readonly offered: OfferedCap | null;
}

/** Prints what a run would begin with. Sends and records nothing, and starts no check. */
export async function dryRun(
  session: Session,
  loops: App,
  options: RunOptions,
  { format, json, offered }: HowToShow,
): Promise<number> {
  const { out } = session.streams;
  const preview = await loops.preview(options).catch(locatedIn(session));
  if (json || format !== 'text') out.line(asJson(previewJson(preview), json ? 2 : undefined));
  else for (const line of previewPage(preview, offered)) out.line(line);
  return EXIT.success;
}

/** Throws an error again: faults of options with the places where they stand. */
export const locatedIn =
  (session: Session) =>
  async (error: unknown): Promise<never> => {
    throw error instanceof OptionsError ? new OptionsError(await session.located(error.faults)) : error;
  };
