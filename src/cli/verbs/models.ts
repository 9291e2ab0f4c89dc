import type { Price } from '../../../machines/events.ts';
import type { Providers } from '../../config/providers.ts';
import { type CataloguedProvider, modelCatalogue } from '../../hosts/local/model-catalogue.ts';
import { plain } from '../../projections/wording.ts';
import { EXIT } from '../exit-status.ts';
import type { Streams } from '../output.ts';
import { columns } from '../table.ts';

/** Who can be asked here, for which models, at what price. Keys are found or missing, and never shown. */
export async function models({ out }: Streams, providers: Providers, { json = false }: { json?: boolean }): Promise<number> {
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
