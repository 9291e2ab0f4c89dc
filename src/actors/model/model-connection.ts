import type { Client } from './connect.ts';
import type { Endpoint } from './endpoint.ts';
import type { Wire } from './providers.ts';

/** A client of the SDK, and what is known of the provider behind it. */
export interface ConnectedModel extends Pick<Endpoint, 'name' | 'provider' | 'baseUrl' | 'keyRemedy'> {
  /** Null: an API that this program has no client for. */
  readonly wire: Wire | null;
  /** Whether the end of an answer is looked for in what its API sends. */
  readonly isMarked: boolean;
  /** `maxOutputTokens`: the longest answer, for a client that would take what is thought for more than that. */
  readonly client: (maxOutputTokens?: number) => Promise<Client>;
}
