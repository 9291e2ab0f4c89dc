import type { Config } from '../../config/config.ts';
import { offeredCap } from '../../hosts/local/offered-cap.ts';
import { flagOf } from '../../text/option-names.ts';
import type { Streams } from '../terminal/output.ts';
import { shellWords } from './invocation.ts';

/** Says that nothing bounds what a run may cost, and what would. A cap that is set to none is meant so. */
export async function offerCap({ err }: Streams, values: Config): Promise<void> {
  const { model, maxTokens, maxCost, providers = {} } = values;
  if (model === undefined || maxTokens !== undefined || maxCost !== undefined) return;
  const offered = await offeredCap(model, providers, process.env);
  if (offered === null) return;
  const flag = shellWords([flagOf(offered.option), offered.value]);
  err.line(err.colours.dim(`no cap on money or tokens: ${flag} would set one`));
}
