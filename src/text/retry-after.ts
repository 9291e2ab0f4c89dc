type Headers = { readonly [name: string]: string };

const DURATION = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;
const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1_000, 1] as const;
/** From here on a number is a time in seconds since 1970, and from there on in milliseconds. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MS = 1e12;

const MIN_RESET_MS = 1_000;

/** OpenAI, Groq and others; Anthropic; OpenRouter and what the IETF drafts. */
const RESET = /^(?:x-)?ratelimit-reset(?:-[\w-]+)?$|^anthropic-ratelimit-(?:[\w-]+-)?reset$/;

/**
 * How long a provider asks to be left alone, in milliseconds; null where it does not say. `now` is in ms since 1970,
 * `words` are those of its refusal: a header counts before them.
 */
export function retryAfter(headers: Headers | undefined, now: number, words = ''): number | null {
  return (
    milliseconds(headers?.['retry-after-ms'], 1) ??
    asked(headers?.['retry-after']?.trim(), now) ??
    waitInWords(words, now)
  );
}

function asked(said: string | undefined, now: number): number | null {
  const seconds = milliseconds(said, 1000);
  if (seconds !== null || said === undefined) return seconds;
  // A date begins with its day's name; what else is parsed as one was not meant so.
  return /^[A-Za-z]{3}/.test(said) ? untilDate(said, now) : null;
}

function milliseconds(said: string | undefined, unitMs: number): number | null {
  return said !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(said) ? Math.ceil(Number(said) * unitMs) : null;
}

const WORDED_MS: readonly (readonly [RegExp, number])[] = [
  [/^m(?:s|illiseconds?)$/i, 1],
  [/^s(?:ec(?:ond)?s?)?$/i, 1_000],
  [/^min(?:ute)?s?$/i, 60_000],
  [/^h(?:(?:ou)?rs?)?$/i, 3_600_000],
  [/^days?$/i, 86_400_000],
];
const AGAIN = /\b(?:try again|retry|resets?|reset|available again)\s+(?:in|after)\s+/i;
/** `6m0s`, `8.2s` and `26 seconds`. */
const SPAN = /^((?:\d+(?:\.\d+)?(?:ms|[dhms]))+)\b|^(\d+(?:\.\d+)?) ?([a-z]+)\b/i;
const DELAY = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/;
const AT = new RegExp(
  String.raw`\b(?:resets?|reset|regain access|try again|available again)\s+(?:at|on)\s+` +
    String.raw`(\d{4}-\d\d-\d\d)(?:(?:T| at | )(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?`,
  'i',
);

/** How long the words of a refusal ask to wait: those of OpenAI, Azure, Gemini and Anthropic. Null: they do not. */
function waitInWords(words: string, now: number): number | null {
  const [, day, hour = '00:00'] = AT.exec(words) ?? [];
  if (day !== undefined) return untilDate(`${day}T${hour}Z`, now);
  const delay = milliseconds(DELAY.exec(words)?.[1], 1_000);
  if (delay !== null) return delay;
  const before = AGAIN.exec(words);
  if (!before) return null;
  const [, span, number, unit = ''] = SPAN.exec(words.slice(before.index + before[0].length)) ?? [];
  if (span !== undefined) return spanMs(span);
  const [, unitMs = null] = WORDED_MS.find(([name]) => name.test(unit)) ?? [];
  return unitMs === null ? null : Math.ceil(Number(number) * unitMs);
}

/**
 * Milliseconds until the limits of a provider begin anew, by headers that it sends with every answer: the latest of
 * the ones that are used up, or else of all. Null: they do not say, or it is less than a second, which is no reason to
 * refuse.
 */
export function resetIn(headers: Headers | undefined, now: number): number | null {
  const limits = Object.entries(headers ?? {}).flatMap(([name, said]) => {
    const afterMs = RESET.test(name) ? resetOf(said.trim(), now) : null;
    return afterMs === null
      ? []
      : [{ afterMs, isUsedUp: headers?.[name.replace('reset', 'remaining')]?.trim() === '0' }];
  });
  const usedUp = limits.filter(({ isUsedUp }) => isUsedUp);
  const counted = (usedUp.length > 0 ? usedUp : limits).map(({ afterMs }) => afterMs);
  const latest = Math.max(0, ...counted);
  return latest < MIN_RESET_MS ? null : latest;
}

function resetOf(said: string, now: number): number | null {
  const number = milliseconds(said, 1);
  if (number === null) return /^\d{4}-\d\d-\d\dT/.test(said) ? untilDate(said, now) : spanMs(said);
  if (number < FIRST_EPOCH_SECONDS) return milliseconds(said, 1_000);
  return Math.max(0, (number < FIRST_EPOCH_MS ? number * 1_000 : number) - now);
}

function spanMs(said: string): number | null {
  const [whole = '', ...parts] = DURATION.exec(said) ?? [];
  if (whole === '') return null;
  return Math.ceil(parts.reduce((sum, part, index) => sum + Number(part ?? 0) * (UNITS_MS[index] ?? 0), 0));
}

function untilDate(said: string, now: number): number | null {
  const date = Date.parse(said);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
