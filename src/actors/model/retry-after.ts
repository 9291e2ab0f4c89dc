/**
 * How long a provider asks to be left alone, in milliseconds; null where it does not say. `now` is in ms since 1970.
 */
export function retryAfter(headers: { readonly [name: string]: string } | undefined, now: number): number | null {
  const exact = milliseconds(headers?.['retry-after-ms'], 1);
  if (exact !== null) return exact;
  const said = headers?.['retry-after']?.trim();
  const seconds = milliseconds(said, 1000);
  if (seconds !== null || said === undefined) return seconds;
  // A date begins with its day's name; what else is parsed as one was not meant so.
  const date = /^[A-Za-z]{3}/.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function milliseconds(said: string | undefined, unitMs: number): number | null {
  return said !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(said) ? Math.ceil(Number(said) * unitMs) : null;
}
