import { LONGEST } from '../../budget/cost.ts';
import { endpointOf, type Environment } from '../../actors/model/endpoint.ts';
import { priceOf } from '../../actors/model/prices.ts';
import type { Providers } from '../../actors/model/providers.ts';
import { isScriptName } from '../../actors/model/script-file.ts';

/** An option that bounds what a run may use, and a value for it. */
export interface OfferedCap {
  readonly option: 'maxCost' | 'maxTokens';
  readonly value: string;
}

const USD = '5';
const TOKENS = '2000000';

/** A cap for a run without one: money where the price of its model is known, else tokens. Null: the model is free. */
export async function offeredCap(
  model: string,
  providers: Providers,
  environment: Environment,
): Promise<OfferedCap | null> {
  if (isScriptName(model)) return null;
  const price = await priceOf(endpointOf(model, providers, environment, { withoutKey: true }))(LONGEST);
  if (price === null) return { option: 'maxTokens', value: TOKENS };
  const isFree = price.inputPerMillion === 0 && price.outputPerMillion === 0;
  return isFree ? null : { option: 'maxCost', value: USD };
}
