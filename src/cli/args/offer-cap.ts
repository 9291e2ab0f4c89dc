import { shellWords } from '../../text/shell-words.ts';
import type { Config } from '../../config/config.ts';
import { type OfferedCap, offeredCap } from '../../app/start/cap-offer.ts';
import { flagOf } from '../../options/option-table.ts';
import type { Streams } from '../terminal/output.ts';

/** A cap for a run that has none on money or tokens. One that is set to none is meant so: null, as for a free model. */
export async function missingCap({
  model,
  maxTokens,
  maxCost,
  providers = {},
}: Pick<Config, 'model' | 'maxTokens' | 'maxCost' | 'providers'>): Promise<OfferedCap | null> {
  if (model === undefined || maxTokens !== undefined || maxCost !== undefined) return null;
  return offeredCap(model, providers, process.env);
}

/** Says that nothing bounds what a run may cost, and what would. */
export async function offerCap({ err }: Streams, values: Config): Promise<void> {
  const offered = await missingCap(values);
  if (offered === null) return;
  const flag = shellWords([flagOf(offered.option), offered.value]);
  err.line(err.colours.dim(`no cap on money or tokens: ${flag} would set one`));
}
