import type { Price } from '../../../machines/events.ts';
import type { Providers } from '../../actors/model/providers.ts';
import { type CataloguedProvider, modelCatalogue } from '../../app/start/model-catalogue.ts';
import { plain } from '../../projections/phrases.ts';
import { EXIT } from '../terminal/exit-status.ts';
import type { Streams } from '../terminal/output.ts';
import { columns } from '../pages/table.ts';

/** Providers, their models and prices. Keys are found or missing, and never shown. */
export async function models(
  { out }: Streams,
  providers: Providers,
  { json = false }: { json?: boolean },
): Promise<number> {
  const catalogue = await modelCatalogue(providers, process.env);
  if (json) out.line(JSON.stringify(catalogue, null, 2));
  else for (const line of catalogue.flatMap(pageOf)) out.line(plain(line));
  return EXIT.success;
}

function pageOf({ provider, key, obstacle, models }: CataloguedProvider): string[] {
  const rows = models.map(({ name, price }) => [`  ${name}`, price === null ? 'price unknown' : priceText(price)]);
  const any = models.length === 0 ? [`  ${provider}/MODEL, whatever it serves`] : [];
  return [`${provider}: ${obstacle ?? `key ${key}`}`, ...columns(rows), ...any];
}

const priceText = ({ inputPerMillion, outputPerMillion, source }: Price) =>
  `$${inputPerMillion} in, $${outputPerMillion} out per million tokens (${source})`;
