import { agentOfModel } from '../../../machines/agent-model.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { RunFacts, TimedWork } from './effect-spans.ts';
import { GENAI, OPERATION } from './genai-names.ts';
import { type Attributes, attributesText } from './otlp-json.ts';

/** The run whose work is told. */
export interface ToldRun {
  readonly facts: RunFacts;
  /** The run at the top of the tree. */
  readonly root: string;
  /** Texts of models and tools are told, too. */
  readonly withContent: boolean;
  readonly common: CommonTexts;
}

/** The texts that many spans of one run have, written once: a run that is told while it works pays for each. */
interface CommonTexts {
  /** The name of a question to the model. */
  readonly question: string;
  readonly model: string;
  readonly conversation: string;
  readonly toolType: string;
  readonly tool: string;
  /** Of the first attempt of each work. */
  readonly own: string;
}

/** The attributes at the end of each span. */
export const ownTexts = ({ run, attempt }: Pick<TimedWork, 'run' | 'attempt'>): string =>
  attributesText([
    ['loopfold.run', run],
    ['loopfold.attempt', attempt],
  ]);

export function toldRun(facts: RunFacts, run: string, root: string, withContent: boolean): ToldRun {
  const model = facts.settings.model ?? 'unknown';
  const agent = agentOfModel(model);
  const [provider = model] = (agent ?? model).split(/[/:]/);
  const operation = agent === null ? OPERATION.chat : OPERATION.agent;
  const common = {
    question: `${operation} ${agent ?? model}`,
    model: attributesText([
      [GENAI.operation, operation],
      [GENAI.agent, agent],
      [GENAI.provider, provider],
      [GENAI.requestModel, model],
    ]),
    conversation: attributesText([[GENAI.conversation, root]]),
    tool: attributesText([[GENAI.operation, OPERATION.tool]]),
    toolType: attributesText([[GENAI.toolType, 'function']]),
    own: ownTexts({ run, attempt: 1 }),
  };
  return { facts, root, withContent, common };
}

/** The name of a span and its attributes. */
export interface ToldWork {
  readonly name: string;
  readonly isClient?: boolean;
  readonly attributes: Attributes;
}

const MAX_CONTENT_CHARS = 32_768;

/** The name and the attributes of work, by the conventions where they have some for it. */
export function toldWork(work: TimedWork, run: ToldRun): ToldWork {
  if (work.kind === 'run') return toldOfRun(work, run);
  if (work.actor === 'streamModel' || isAnswer(work.result)) return toldOfModel(work, run);
  if (work.call) return toldOfTool(work, run);
  const name = work.kind === 'wait' ? 'wait' : work.actor;
  return { name: `loopfold.${name}`, attributes: [['loopfold.effect', work.effect]] };
}

const isAnswer = (result: Fact | null): boolean =>
  result?.type === 'model.completed' || result?.type === 'model.failed';

/** Loops of attempts are workflows, whose attempts are agents. */
function toldOfRun({ to }: TimedWork, { facts: { settings, start, decisions }, root }: ToldRun): ToldWork {
  const { loop, model, agent, attemptLimits } = settings;
  const isWorkflow = attemptLimits !== null;
  const operation = isWorkflow ? OPERATION.workflow : OPERATION.agent;
  const name = agent ?? loop;
  return {
    name: `${operation} ${name}`,
    attributes: [
      [GENAI.operation, operation],
      [isWorkflow ? GENAI.workflow : GENAI.agent, name],
      [GENAI.conversation, root],
      [GENAI.requestModel, model],
      ['loopfold.machine', start.payload.machine],
      ['loopfold.ending', endingAt(decisions, to)],
      [GENAI.error, failedEnding(decisions, to)],
    ],
  };
}

function toldOfModel({ result }: TimedWork, { common, withContent }: ToldRun): ToldWork {
  const answer = result?.type === 'model.completed' ? result.payload : null;
  const usage = answer?.usage ?? (result?.type === 'model.failed' ? result.payload.usage : null);
  return {
    name: common.question,
    isClient: true,
    attributes: [
      common.model,
      [GENAI.responseModel, answer?.model],
      common.conversation,
      [GENAI.inputTokens, usage?.inputTokens],
      [GENAI.outputTokens, usage?.outputTokens],
      [GENAI.cacheReadTokens, usage?.cachedInputTokens],
      [GENAI.cacheWriteTokens, usage?.cacheWriteTokens],
      [GENAI.finishReasons, answer && [finishOf(answer)]],
      [GENAI.error, errorOf(result)],
      ['loopfold.usage.estimated', usage?.estimated],
      ['loopfold.cost.nano_usd', usage?.cost?.nanoUsd],
      [GENAI.outputMessages, withContent && answer ? messagesOf(answer) : null],
    ],
  };
}

type Answer = Extract<Fact, { type: 'model.completed' }>['payload'];

const finishOf = ({ cut, calls }: Answer): string => cut ?? (calls.length > 0 ? 'tool_call' : 'stop');

function messagesOf(answer: Answer): string {
  const { text, calls } = answer;
  const asked = calls.map(({ callId, tool, arguments: given }) => ({
    type: 'tool_call',
    id: callId,
    name: tool,
    arguments: given,
  }));
  const parts = [...(text === '' ? [] : [{ type: 'text', content: text }]), ...asked];
  return JSON.stringify([{ role: 'assistant', parts, finish_reason: finishOf(answer) }]).slice(0, MAX_CONTENT_CHARS);
}

function toldOfTool({ result, call, effect }: TimedWork, { common, withContent }: ToldRun): ToldWork {
  const { output } = Object(result?.payload) as { readonly output?: unknown };
  const hasOutput = withContent && typeof output === 'string';
  return {
    name: `${OPERATION.tool} ${call?.tool}`,
    attributes: [
      common.tool,
      [GENAI.tool, call?.tool],
      common.toolType,
      [GENAI.toolCall, call?.callId],
      [GENAI.error, errorOf(result)],
      ['loopfold.effect', effect],
      [GENAI.toolArguments, withContent ? JSON.stringify(call?.arguments).slice(0, MAX_CONTENT_CHARS) : null],
      [GENAI.toolResult, hasOutput ? output.slice(0, MAX_CONTENT_CHARS) : null],
    ],
  };
}

/** The code of a fault, or the kind of a result that is one. Null: it is no fault. */
export function errorOf(result: Fact | null): string | null {
  if (result === null) return null;
  const { fault } = result.payload as { readonly fault?: { readonly code: string } | null };
  return fault?.code ?? (result.type.endsWith('.failed') || result.type.endsWith('.refused') ? result.type : null);
}

/** The ending that the newest decision before a time came to. */
const endingAt = (decisions: RunFacts['decisions'], to: string): string | undefined =>
  decisions.findLast(({ at, payload }) => at <= to && payload.sink)?.payload.sink?.ending;

/** The ending of a run that is an error. Null: it succeeded, or has not ended. */
export function failedEnding(decisions: RunFacts['decisions'], to: string): string | null {
  const ending = endingAt(decisions, to);
  return ending === undefined || ending === 'success' ? null : ending;
}
