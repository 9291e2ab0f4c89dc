import type { RunSettings } from '../../../../machines/settings.ts';
import type { Message, ModelRequest } from '../../../actors/model/model.ts';
import type { SummaryInput } from '../../../actors/model/summary-actor.ts';
import type { Life } from '../../../../machines/life.ts';
import type { Allowance } from '../../../actors/model/purse.ts';
import { least, leftFor } from '../../../budget/allowance.ts';
import { CHARACTERS_PER_TOKEN, estimatedTokens } from '../../../budget/message-length.ts';
import { head, tail } from '../../../text/excerpt.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import { parametersIn } from '../../turn/request-record.ts';
import { sentinelOf } from '../../../strategies/sentinel.ts';
import type { HandlerMemory } from '../handler-memory.ts';
import { endingSummary } from './ending-summary.ts';

/** The most of a run that a summary prompt contains, however large its reservation is. */
const MAX_PROMPT_CHARACTERS = 40_000;
/** The task takes at most this part of the prompt. */
const TASK_PART = 0.25;

/** Whether a model sums the run up: a limit has ended it, and there is a reservation for the summary. */
export function isSummedUp({ state }: RunContext): boolean {
  const { outcome, reserved } = lifeOf(state);
  return 'summary' in reserved && outcome !== null && sentinelOf(outcome) !== null;
}

/** The request for a summary: half of the reservation is for its input, the rest for the answer. */
export function summaryRequest(context: RunContext, memory: HandlerMemory): SummaryInput {
  const { run, settings, state } = context;
  const { tokens, nanoUsd } = allowanceOf(lifeOf(state));
  const characters = Math.min(MAX_PROMPT_CHARACTERS, Math.floor((tokens ?? 0) / 2) * CHARACTERS_PER_TOKEN);
  const sentinel = endingSummary(context, memory.loop);
  const text = promptOf(settings, memory, sentinel, characters);
  const request: ModelRequest = {
    run,
    system: null,
    messages: [{ role: 'user', text }],
    tools: [],
    ...parametersIn(settings),
    step: 0,
    iteration: 0,
  };
  return {
    request,
    sentinel,
    allowance: { tokens, nanoUsd, inputTokens: estimatedTokens(text.length), isCounted: true },
  };
}

/** What was reserved, as far as the caps still have room for it: work may have cost more than was expected. */
function allowanceOf(life: Life): Pick<Allowance, 'tokens' | 'nanoUsd'> {
  const { tokens = 0, nanoUsd = null } = life.reserved['summary'] ?? {};
  const left = leftFor(life, 'summary');
  return { tokens: least(tokens, left.tokens), nanoUsd: least(nanoUsd, left.nanoUsd) };
}

function promptOf({ prompt }: RunSettings, memory: HandlerMemory, sentinel: string, characters: number): string {
  const asked = [
    `The work below was ended by a limit: ${sentinel}.`,
    'Sum it up in a few sentences for the agent that continues it: what is done, what is not, what to do next. Claim nothing that is not shown.',
  ].join(' ');
  const room = Math.max(0, characters - asked.length);
  const task = head(prompt, Math.floor(room * TASK_PART));
  const shown = memory.conversation?.messages().map(lineOf).join('\n') ?? attemptLines(memory);
  return `${asked}\n\nThe task:\n${task}\n\nThe last of it:\n${tail(shown, Math.max(0, room - task.length))}`;
}

const attemptLines = ({ childAnswer, feedback }: HandlerMemory): string =>
  [
    ...(feedback === null ? [] : [`What was wrong with an attempt:\n${feedback}`]),
    `The last attempt said:\n${childAnswer}`,
  ].join('\n\n');

function lineOf(message: Message): string {
  if (message.role === 'tool') return `[${message.tool}] ${message.output}`;
  const calls =
    message.role === 'assistant'
      ? message.calls.map(({ tool, arguments: given }) => `${tool} ${JSON.stringify(given)}`)
      : [];
  return [`${message.role}: ${message.text}`, ...calls].join('\n');
}
