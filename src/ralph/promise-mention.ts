const VERB = '(say|write|repl[yi]|respond|print|emit|type|output|return|include|append|send|use|add|give|promise|post)';
const SAYS = new RegExp(String.raw`\b${VERB}(e?s|e?d|t?ing)?\b`, 'i');
const IS_ORDER = new RegExp(String.raw`^[\s*_>\d.)-]*(please\s+|only\s+|then\s+|and\s+|do\s+)*${VERB}\b`, 'i');
/** "Output:" */
const IS_LABEL = /^\W*\w+\W*$/;
const CONDITION = /\b(when|whenever|once|if|unless|until|as soon as|only|before|after|in case)\b/i;
const LATER =
  /\b(will|would|should|must|shall|could|may|might|(have|has|had|need|needs|want|going|asked|told|supposed) to)\b|['’]ll\b/i;
const DENIAL = /\b(no|not|never|cannot|without|instead of|rather than)\b|n['’]t\b/i;
const NOW = /\b(now|hereby|therefore)\b/i;
/** "No TAG yet", "not a TAG". */
const DENIED = /(\b(no|not|never|without)|n['’]t)(\s+(yet|a|an|any|the|real|true))*\s*$/i;
/** "TAG only when …", "TAG is not given yet". */
const IS_TALKED_ABOUT =
  /^[\s*_,]*(only\s+)?(when|whenever|once|if|unless|until|as soon as|only after|in case|yet|tag|marker|phrase|text|line|(is|was|has|can|could|will|would|should|must|may|might)(\s+not\b|n['’]t\b|\s+only\b|\s+be\b))/i;

/**
 * Whether a sentence talks about a promise without making it: an order ("output …"), a condition ("… when it works"), a
 * plan ("I will say …") or a denial ("not yet …"). `before` and `after` are the rest of the sentence.
 */
export function isMention(before: string, after: string): boolean {
  if (IS_TALKED_ABOUT.test(after) || DENIED.test(before)) return true;
  const clause = lastClause(before);
  return isCondition(before, clause) || (SAYS.test(clause) && LATER.test(clause) && !NOW.test(clause));
}

/**
 * Whether the line before a promise that has a line of its own says under which condition it would be made. A plan
 * alone ("I will give my promise:") is carried out by that line.
 */
export const isInstruction = (lead: string): boolean => /:[*_\s]*$/.test(lead) && isCondition(lead, lastClause(lead));

function isCondition(sentence: string, clause: string): boolean {
  if (!SAYS.test(clause)) return false;
  if ((IS_ORDER.test(clause) && !IS_LABEL.test(clause)) || DENIAL.test(clause)) return true;
  // With a colon the whole sentence leads to the promise.
  const governing = /:[*_\s]*$/.test(sentence) ? sentence : clause;
  return CONDITION.test(governing) && !NOW.test(clause);
}

const lastClause = (sentence: string): string =>
  sentence
    .replace(/:[*_\s]*$/, '')
    .split(/[,;()\u2013\u2014]/)
    .at(-1) ?? '';
