/** A receiver may decode a URL twice: a proxy in front of it, and the program itself. */
const MAX_DECODINGS = 3;
const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}/g;
/** Four characters are three bytes. Where in a run the encoded text begins is unknown. */
const BASE64_GROUP = 4;

/**
 * What a receiver could read in a URL: its text as written and as a client sends it, both percent-decoded until nothing
 * changes, at most three times, and the bytes of everything in them that may be base64 or base64url, as UTF-8.
 *
 * @example
 * urlReadings('https://one.example/?t=a%2Bb').includes('https://one.example/?t=a+b'); // true
 */
export function urlReadings(url: string): readonly string[] {
  const decoded = [...new Set([url, new URL(url).href])].flatMap(percentDecodings);
  return [...new Set(decoded.flatMap((text) => [text, ...base64Readings(text)]))];
}

/** A text, and what it says decoded: a plus is a space in a form, and itself anywhere else. */
function percentDecodings(text: string): string[] {
  const readings = [text, text.replaceAll('+', ' ')];
  for (let count = 0, last = text; count < MAX_DECODINGS; count += 1) {
    const next = percentDecoded(last);
    if (next === last) break;
    readings.push(next, percentDecoded(last.replaceAll('+', ' ')));
    last = next;
  }
  return readings;
}

/** `decodeURIComponent` refuses a whole text for one wrong byte. */
const percentDecoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());

const base64Readings = (text: string): string[] =>
  [...text.matchAll(BASE64_RUN)].flatMap(([run]) =>
    Array.from({ length: BASE64_GROUP }, (_, start) => Buffer.from(run.slice(start), 'base64').toString()),
  );
