import { hash } from 'node:crypto';

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** A cheap test that rules out a whole UUID. */
const PART_OF_UUID = /-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/** What differs each time without meaning, applied in this order, each with its replacement. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z\b| ?[+-]\d\d:?\d\d\b)?/g, '<time>'],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  // Milliseconds since 1970, from 2017 to 2033.
  [/\b1[5-9]\d{11}\b/g, '<time>'],
  [/\bduration\w*["' ]{0,2}[:= ] ?\d+(?:\.\d+)?/gi, '<duration>'],
  [/\b(?:\d+h ?)?\d+m ?\d+(?:\.\d+)?s\b/g, '<duration>'],
  [/\b\d+(?:\.\d+)? ?(?:ns|[uµ]s|ms|s|secs?|seconds?|mins?|minutes?|hours?)\b/g, '<duration>'],
  [/\b0x[0-9a-f]{6,16}\b/gi, '<address>'],
  [/\b(p(?:rocess )?id["' ]{0,2}[:= ] ?)\d+/gi, '$1<pid>'],
  // Only what is called an id is one: a hash of content has meaning.
  [
    /((?:\b|_)(?:id|request|req|call|trace|span|session|job|container|nonce)["' ]{0,2}[-_:=# ] ?["']?)(?=[0-9a-f]*\d)[0-9a-f]{8,64}\b/gi,
    '$1<id>',
  ],
  [
    /((?:\/tmp|\/var\/folders\/\w\w\/\w+\/T|\bTemp)[/\\])[\w-]*[-._](?=[a-z]*[A-Z0-9])[A-Za-z0-9]{6,12}(?=[/\\\s:'"),]|$)/g,
    '$1<temporary>',
  ],
];

/** A text without what is new each time: ids, times, durations, process numbers, temporary folders. */
export function withoutVolatile(text: string): string {
  const plain = PART_OF_UUID.test(text) ? text.replace(UUID, '<uuid>') : text;
  return VOLATILE.reduce((stripped, [pattern, mark]) => stripped.replace(pattern, mark), plain);
}

/** The identity of a text from which what is new each time has been taken: see `resultIdentity`. */
export const plainIdentity = (plain: string): string => hash('sha256', plain);

/**
 * Equal for results that differ only in what is new each time. In doubt a difference counts: to overlook progress would
 * stop good work.
 *
 * @example
 * resultIdentity('3 passed (120 ms)') === resultIdentity('3 passed (98 ms)'); // true
 */
export const resultIdentity = (text: string): string => plainIdentity(withoutVolatile(text));
