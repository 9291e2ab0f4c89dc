import { errorCode } from '../../text/error-code.ts';

/** How long a receiver has for its answer. */
export const TRY_LIMIT_MS = 5_000;

export type Sent = { readonly kind: 'delivered' } | { readonly kind: 'failed'; readonly error: string };

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sending {
  readonly signal: AbortSignal;
  readonly limitMs?: number;
}

/**
 * Sends one report. Never throws: a report that is not taken is a result. A redirect is a failure, because the place it
 * leads to was not configured; no answer is read beyond its status.
 */
export async function sendWebhook(
  { url, headers, body }: WebhookRequest,
  { signal, limitMs = TRY_LIMIT_MS }: Sending,
): Promise<Sent> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    await response.body?.cancel();
    if (response.ok) return { kind: 'delivered' };
    const isRedirect = response.status >= 300 && response.status < 400;
    return failed(`answered ${response.status}${isRedirect ? ', a redirect, which is not followed' : ''}`);
  } catch (error) {
    if (signal.aborted) return failed('no answer before the process stopped');
    if (limit.aborted) return failed(`no answer within ${limitMs / 1000} s`);
    return failed(`not reached (${reasonOf(error)})`);
  }
}

const failed = (error: string): Sent => ({ kind: 'failed', error });

/** A code, because messages of the network may repeat the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && cause.name === 'HTTPParserError') return 'its answer is not HTTP';
  return errorCode(cause) ?? errorCode(error) ?? 'network error';
}
