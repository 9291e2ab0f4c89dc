import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CatalogueEntry } from '../../machines/index.ts';

/**
 * SHA-256, in hex, of a chart: its config as RFC 8785 JSON. Functions count by name alone, so they may be fixed under
 * the same version.
 */
export function chartDigest({ config }: CatalogueEntry['machine']): string {
  const plain: unknown = JSON.parse(
    JSON.stringify(config, (_key, value: unknown) => (typeof value === 'function' ? `function ${value.name}` : value)),
  );
  return hash('sha256', String(canonicalize(plain)));
}
