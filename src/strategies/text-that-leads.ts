/** Verbs by which an answer announces a text. */
const ANNOUNCES =
  '(?:outputs?|prints?|writes?|says?|emits?|sends?|returns?|answers?|repl(?:y|ies)|responds?|types?|produces?|posts?|' +
  'gives?|adds?|puts?|includes?|states?|' +
  '(?:end|finish|close|conclude|reply|answer|respond|stop)(?:s|ed|ing)?(?: \\w+){0,3} (?:with|by))';
/** What may stand between such a verb and the text. */
const OBJECT =
  '(?: (?:exactly|only|just|precisely|literally|back|out|this|these|the|that|a|an|my|your|it|following|exact|final|last|' +
  'completion|text|lines?|tag|promise|phrase|words?|marker|saying|as))';
/** Words that ask for a verb: an announcement, an order or a plan, not what was done. */
const BEFORE =
  '(?:[,;(–—-] ?|\\b(?:to|i|we|you|will|would|shall|should|must|can|could|may|might|cannot|not|then|please|now|only|' +
  "always|never|just|when done|ready)(?:['’](?:ll|d))? |n['’]t )";

const LEADING: readonly RegExp[] = [
  new RegExp(`${BEFORE}${ANNOUNCES}${OBJECT}*$`, 'i'),
  new RegExp(`^${ANNOUNCES}${OBJECT}+$`, 'i'),
  /\b(?:text|tag|promise|phrase|marker|line|output|answer|words?) (?:for (?:that|this|it|later) )?(?:is|reads|says|would be|will be)$/i,
  /\b(?:the|an?|until|unless|if|because)$/i,
  /[:：,;(=→–—]$|(?:->|=>| -)$/,
];
/** Signs that no reader takes for words. */
const DECORATION = /[>*_`"“”„«»#]+/g;
/** More than any such sentence has. */
const MAX_LEAD_CHARS = 400;

/**
 * Whether a paragraph breaks off in a sentence that a text after it would finish: `When done, output`. A paragraph
 * without a full stop that says what was done (`All tests pass`) does not.
 */
export function leadsOn(paragraph: string): boolean {
  const words = paragraph.slice(-MAX_LEAD_CHARS).replace(DECORATION, ' ').replace(/\s+/g, ' ').trim();
  return LEADING.some((leading) => leading.test(words));
}
