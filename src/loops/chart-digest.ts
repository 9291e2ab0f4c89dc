import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CatalogueEntry } from '../../machines/index.ts';

/**
 * SHA-256, in hex, of what a chart says: its config as RFC 8785 JSON. Functions stand in it by name alone, so what they do
 * may be mended under the same version.
 */
export function chartDigest({ config }: CatalogueEntry['machine']): string {
  const plain: unknown = JSON.parse(JSON.stringify(config, (_key, value: unknown) => (typeof value === 'function' ? `function ${value.name}` : value)));
  return hash('sha256', String(canonicalize(plain)));
}
