import { isAnnounced } from '../../../src/actors/model/idle-answer.ts';
import { callsIn } from '../../../src/actors/model/written/json-calls.ts';
import { functions, invocations, toolCalls } from '../../../src/actors/model/written/calls-in-tags.ts';
import { harmonyCalls, kimiCalls } from '../../../src/actors/model/written/token-calls.ts';
import { writtenCalls } from '../../../src/actors/model/written/call-grammar.ts';
import { jsonAnswer } from '../../../src/loops/improvement/json-answer.ts';
import { howItEnded } from '../../../src/loops/improvement/evaluation/experiment-end.ts';
import { writtenTest } from '../../../src/loops/improvement/witness/acceptance-answer.ts';
import { checkCompletionPromise, whyNotPromised } from '../../../src/ralph/check-promise.ts';
import { completionSignal } from '../../../src/strategies/completion-signals.ts';
import { isUnderOtherHeading } from '../../../src/strategies/signal-heading.ts';
import { leadsOn } from '../../../src/strategies/text-that-leads.ts';
import { withoutQuotes } from '../../../src/strategies/quotes.ts';
import type { Reader } from './reader.ts';

/** Readers of what a model answers. */
export const ANSWER_READERS: readonly Reader[] = [
  ['completionSignal, above', (text) => completionSignal(`TASK_COMPLETE\n${text}`)],
  ['completionSignal, below', (text) => completionSignal(`${text}\nTASK_COMPLETE`)],
  ['completionSignal, in a sentence', (text) => completionSignal(`All is ${text} now, TASK_COMPLETE ${text}`)],
  ['withoutQuotes', withoutQuotes],
  ['leadsOn', leadsOn],
  ['isUnderOtherHeading', (text) => isUnderOtherHeading([`## ${text}`, text, `**${text}**`, text], 1, 'DONE')],
  ['checkCompletionPromise', (text) => checkCompletionPromise(`${text}<promise>ok</promise>${text}`, 'ok')],
  ['whyNotPromised', (text) => whyNotPromised(`${text}<promise>ok</promise>${text}`, 'ok')],
  ['isAnnounced', (text) => isAnnounced(text, ['read'])],
  ['isAnnounced, a call', (text) => isAnnounced(`\`\`\`\n{"tool": "read"${text}<invoke name="a">${text}`, ['read'])],
  ['writtenCalls', (text) => writtenCalls(text, ['read'])],
  ['writtenCalls, of tags', (text) => writtenCalls(`<tool_call>${text}</tool_call>`, ['read'])],
  ['callsIn', callsIn],
  ['toolCalls', (text) => toolCalls(`<tool_call>${text}`)],
  ['functions', (text) => functions(`<function=read>${text}</function>`)],
  ['invocations', (text) => invocations(`<function_calls><invoke name="read">${text}`)],
  ['kimiCalls', kimiCalls],
  ['harmonyCalls', harmonyCalls],
  ['jsonAnswer', (text) => jsonAnswer(`\`\`\`json\n${text}`)],
  ['howItEnded', (text) => howItEnded({ ending: 'exhausted_turns' } as never, `CANNOT: ${text}`)],
  ['writtenTest', (text) => writtenTest(`Test: a.test.ts\n\`\`\`ts\n${text}`)],
];
