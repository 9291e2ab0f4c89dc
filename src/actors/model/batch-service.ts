import type { Usage } from '../../../machines/usage.ts';
import type { Fault } from '../../../machines/outcome.ts';

/** One question of a batch. Its answer is text: a conversation with tool calls cannot be batched. */
export interface BatchRequest {
  /** Unique within its batch. */
  readonly id: string;
  /** As a run names it. */
  readonly model: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
}

export type BatchAnswer =
  | { readonly id: string; readonly kind: 'answered'; readonly text: string; readonly usage: Usage }
  | { readonly id: string; readonly kind: 'failed'; readonly fault: Fault; readonly usage?: Usage };

export type BatchResult =
  | { readonly kind: 'pending' }
  | { readonly kind: 'results'; readonly answers: readonly BatchAnswer[] }
  /** The batch as a whole: it expired, was cancelled, or is not known. */
  | { readonly kind: 'failed'; readonly fault: Fault };

/** The batch interface of a provider: cheaper than calls, and answered some time later. Both functions may throw. */
export interface BatchService {
  /**
   * Hands a batch in. `key` names it: handed in again under the same key, after a crash, it is the same batch, and its
   * id is the answer. Providers call this an idempotency key, or let a batch be found by its metadata.
   */
  readonly submit: (
    requests: readonly BatchRequest[],
    how: { readonly key: string; readonly signal: AbortSignal },
  ) => Promise<string>;
  /** What has become of it. Asked again and again while it is pending. */
  readonly result: (batch: string, how: { readonly signal: AbortSignal }) => Promise<BatchResult>;
}
