const anyOf = (choices: string): string => `(${choices.split(' ').join('|')})`;

const SAY = anyOf('say write reply respond print emit type');
const ALSO_SAY = anyOf('return include append mention send use add output answer signal echo');
const IN_THESE_WORDS = anyOf('with the only just exactly words? tokens? signals? phrase marker string back out a line');
const ASKS_TO_SAY = new RegExp(`\\b(${SAY}|${ALSO_SAY})(ing|e?[sd])?(\\s+${IN_THESE_WORDS})*\\s*$`, 'i');
const ASKS_FOR_A_LINE = new RegExp(`\\b${SAY}(\\s+\\w+){0,6}\\s*:\\s*$`, 'i');
const CONDITION =
  /\b(when|whenever|once|if|unless|until|as soon as|only after|in case|wenn|sobald|falls|quand|lorsque|cuando)\b/i;
const NONE = anyOf("no not never nothing none cannot \\w+n['’]t nicht kein\\w* pas todavía");
const UNSURE = anyOf('doubt\\w* unsure hope hopefully maybe perhaps probably unlikely assum\\w+');
const NOT_QUITE = anyOf('far\\sfrom almost nearly half partly partially mostly yet considered?');
const LATER = anyOf('will would should must shall can could may might to\\sbe to\\sget');
const NOT_YET = new RegExp(
  `\\b(${NONE}|${UNSURE}|${NOT_QUITE}|${LATER})\\b|(?<![\\d.])(?!100\\b)\\d+(\\.\\d+)?\\s?%`,
  'i',
);
const PIECE = anyOf('step phase part stage milestone section chapter item story ticket sub-?task task');
const ORDINAL = anyOf('first second third fourth fifth');
const A_PIECE = `(${PIECE}\\s+#?\\d+|${ORDINAL}\\s+[\\w-]+)`;
const HAS_A_PIECE = new RegExp(`\\b${A_PIECE}`, 'i');
/** Only a part of the work is done. */
const OF_A_PIECE = new RegExp(`\\b${A_PIECE}[\\s*_]*(is|are|=>?|->|[:\\u2013\\u2014-])?[\\s*_]*$`, 'i');

/** Names the signal, or the state of the whole: `Status:`, `Here is the signal:`. */
export const NAMES_IT =
  /^[^\p{L}]*(here(['’]s| is) )?(the |my |our )?((final |completion |overall |current |task |project )*(signal|status|verdict|result|conclusion|outcome)|final answer)[^\p{L}]*$/iu;
const SUMS_UP =
  /\b(so|therefore|hence|thus|finished|done|completed?|pass(es|ed)?|passing|green|left|works|fixed|ready|(?<!\b(is|are) )now)[^\p{L}\p{N}]*$/iu;
const SUMMARISES = /^[^\p{L}]*((final|code|self) )?(summary|review|report)[^\p{L}]*$/iu;
export const NOTHING_LEFT =
  /(\b(there (is|are) )?(nothing|none|no( [\p{L}]+){1,2})( is| are)? (left|missing|fails?|remain(s|ing)?|open|outstanding)|\b((there (is|are)|I (see|find|found|have)|we have) )?(no|zero|0) ((remaining|open|outstanding|further|more|other|known|unresolved|pending|blocking) )+(issues?|problems?|errors?|failures?|bugs?|tasks?|work|items?|todos?|steps?|changes|blockers?|questions?)( (found|left|detected|identified|(to )?(fix|address|do)))?)\s*$/iu;
const IS_THE_WHOLE =
  /\b((it|this|that|all|everything|work|task|job|goal)( [\p{L}]+)? (is|are)( (now|all|fully|hereby))?|I( \w+)? (declare|call|mark) (it|this|that|the (work|task|job)))\s*$/iu;
/** Ends in a word that needs another one. */
const IS_OPEN =
  /\b(prints?|printed|returns?|returned|outputs?|logs?|logged|says?|said|reads?|shows?|showed|call|declare|claim|consider|mark|report|announce|signal|be|is|are|am|not|never|yet|then|and|or|with|to|as|by)( (it|this|that|the|work|task|everything|anything|all))*\s*$/i;

const FAILS = /\bfails?\b|\b(is|are|still|but)( \w+)? failing\b|\b[1-9]\d*( \w+){0,3} fail(ing|ed)?\b/;
const IS_OPEN_STILL =
  /\bstill (open|missing|to do|red|broken|needs?|ha(s|ve) to)\b|\bremain(s|ing)?\b|\b(missing|pending|TODO)\b/;
const TAKES_BACK = new RegExp(
  [
    /\b(wait|oops|correction|scratch that|never ?mind|except|but not|apart from|aside from|unfinished|incomplete)\b/,
    /\bignore (that|this|it|the above)\b|\bnot (yet|true|really|quite|done|complete|finished)\b/,
    FAILS,
    IS_OPEN_STILL,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);
const OF_NONE = /\b(no|none|nothing|zero|0|never|without|not)\b[^.!?\n]{0,25}$/i;
const IN_PART = /\b(?!(\d+)\s*(?:\/|of)\s*\1\b)\d+\s*(?:\/|of)\s*\d+\b|(?<![\d.])(?!100\b)\d+(\.\d+)?\s?%/;

const PLANNED = new RegExp(
  `\\b(${UNSURE}|will|would|shall|should|must|might|next)\\b|\\b(has|have|set|becomes?|gets?|put|mark|move)\\s*$`,
  'i',
);

export const isConditional = (text: string): boolean => CONDITION.test(text);
export const isOfAPiece = (text: string): boolean => OF_A_PIECE.test(text);
export const isOfPiece = (text: string): boolean => HAS_A_PIECE.test(text);
/** What it says is to come, or is about a text. */
export const isPlanned = (text: string): boolean =>
  PLANNED.test(text) || CONDITION.test(text) || isAskedFor(text) || IS_OPEN.test(text);
export const breaksOff = (text: string): boolean => IS_OPEN.test(text);
export const isInPart = (text: string): boolean => IN_PART.test(text);

/** A line with a colon after which a signal is the agent's own. */
export const introducesIt = (lead: string): boolean =>
  [NAMES_IT, SUMS_UP, NOTHING_LEFT].some((pattern) => pattern.test(lead.replace(/[\s*_:：–—-]+$/, ''))) &&
  !isAskedFor(lead) &&
  !CONDITION.test(lead);

const isAskedFor = (lead: string): boolean => ASKS_FOR_A_LINE.test(lead) || ASKS_TO_SAY.test(lead);

/** What stands before a signal in its sentence is about something else: an order, a denial, a plan, a part. */
export function isOfSomethingElse(before: string): boolean {
  const rest = before.replace(NOTHING_LEFT, '');
  if (rest !== before && /[:：]\s*$/.test(rest)) return !NAMES_IT.test(rest) && !SUMMARISES.test(rest);
  const clause = rest.split(/[,;:()\u2013\u2014]/).at(-1) ?? '';
  return NOT_YET.test(clause) || isAskedFor(clause) || HAS_A_PIECE.test(clause);
}

/** What stands before a signal at the end of its sentence says that the whole is finished. */
export const saysSo = (before: string): boolean =>
  [NAMES_IT, SUMS_UP, NOTHING_LEFT, IS_THE_WHOLE].some((pattern) => pattern.test(before));

/** What follows a signal says that something is left. */
export const isTakenBack = (after: string): boolean =>
  [...after.matchAll(TAKES_BACK)].some(({ index }) => !OF_NONE.test(after.slice(Math.max(0, index - 40), index)));
