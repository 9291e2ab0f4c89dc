import type { RunSettings } from '../../../machines/settings.ts';
import type { Message, ModelRequest } from '../../actors/model/model.ts';
import type { SummaryInput } from '../../actors/model/summary-actor.ts';
import { CHARACTERS_PER_TOKEN, estimatedTokens } from '../../budget/estimated-tokens.ts';
import { head, tail } from '../../config/excerpt.ts';
import type { Situation } from '../../runtime/cast.ts';
import { lifeOf } from '../../runtime/fold.ts';
import { sentinelOf } from '../../strategies/sentinel.ts';
import type { Memory } from './memory.ts';
import { endingSummary } from './summary.ts';

/** However much is set aside, no more than this is shown of a run. */
const MAX_PROMPT_CHARACTERS = 40_000;
/** Of what is shown, this part is the task at most. */
const TASK_PART = 0.25;

/** Whether a model sums the run up: a limit has ended it, and something was set aside for that. */
export function isSummedUp({ state }: Situation): boolean {
  const { outcome, reserved } = lifeOf(state);
  return 'summary' in reserved && outcome !== null && sentinelOf(outcome) !== null;
}

/** What a model is asked that is to sum up: half of what is set aside may go in, the rest is for its answer. */
export function summingUp(situation: Situation, memory: Memory): SummaryInput {
  const { run, settings, state } = situation;
  const { tokens = 0, nanoUsd = null } = lifeOf(state).reserved['summary'] ?? {};
  const characters = Math.min(MAX_PROMPT_CHARACTERS, Math.floor((tokens ?? 0) / 2) * CHARACTERS_PER_TOKEN);
  const sentinel = endingSummary(situation, memory.loop);
  const text = promptOf(settings, memory, sentinel, characters);
  const request: ModelRequest = { run, system: null, messages: [{ role: 'user', text }], tools: [], step: 0, iteration: 0 };
  return { request, sentinel, allowance: { tokens, nanoUsd, inputTokens: estimatedTokens(text.length), isCounted: true } };
}

function promptOf({ prompt }: RunSettings, memory: Memory, sentinel: string, characters: number): string {
  const asked = [
    `The work below was ended by a limit: ${sentinel}.`,
    'Sum it up in a few sentences for whoever goes on with it: what is done, what is not, what to do next. Claim nothing that is not shown.',
  ].join(' ');
  const room = Math.max(0, characters - asked.length);
  const task = head(prompt, Math.floor(room * TASK_PART));
  const shown = memory.conversation?.messages().map(lineOf).join('\n') ?? attemptLines(memory);
  return `${asked}\n\nThe task:\n${task}\n\nThe last of it:\n${tail(shown, Math.max(0, room - task.length))}`;
}

const attemptLines = ({ childAnswer, feedback }: Memory): string =>
  [...(feedback === null ? [] : [`What was wrong with an attempt:\n${feedback}`]), `The last attempt said:\n${childAnswer}`].join('\n\n');

function lineOf(message: Message): string {
  if (message.role === 'tool') return `[${message.tool}] ${message.output}`;
  const calls = message.role === 'assistant' ? message.calls.map(({ tool, arguments: given }) => `${tool} ${JSON.stringify(given)}`) : [];
  return [`${message.role}: ${message.text}`, ...calls].join('\n');
}
