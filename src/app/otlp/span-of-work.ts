import { createHash } from 'node:crypto';
import { agentOfModel } from '../../../machines/agent-model.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { RunFacts, TimedWork } from './effect-spans.ts';
import { GENAI, OPERATION } from './genai-names.ts';
import { attributesOf, type Named, nanoseconds, type OtlpSpan } from './otlp-json.ts';

/** The rest that a span needs beside its own work. */
export interface SpanPlace {
  readonly facts: RunFacts;
  /** The run at the top of the tree. */
  readonly root: string;
  /** `RUN/VERSION/n`: the effect that has opened the run. Null: it is at the top. */
  readonly openedBy: string | null;
  readonly forkedFrom: string | null;
  /** Texts of models and tools are told, too. */
  readonly withContent: boolean;
}

const MAX_CONTENT_CHARS = 32_768;

/** A trace is a tree of runs: its id is that of the run at the top. Both ids are the same each time they are made. */
const traceIdOf = (root: string): string =>
  /^[0-9a-f-]{36}$/.test(root) ? root.replaceAll('-', '') : digest(root).slice(0, 32);
const spanIdOf = (text: string): string => digest(text).slice(0, 16);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The span of work that has ended. */
export function spanOfWork(work: TimedWork, place: SpanPlace): OtlpSpan {
  const { run, effect, attempt, from, to, kind } = work;
  const { root, openedBy } = place;
  const first = effect === null ? run : `${run}/${effect}`;
  const parent = parentOf(work, openedBy);
  const traceId = traceIdOf(root);
  const said = told(work, place);
  return {
    traceId,
    spanId: spanIdOf(attempt > 1 ? `${first}#${attempt}` : first),
    ...(parent === null ? {} : { parentSpanId: spanIdOf(parent) }),
    name: said.name,
    kind: said.isClient ? 3 : 1,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributesOf({ ...said.attributes, 'loopfold.run': run, 'loopfold.attempt': attempt }),
    events: kind === 'run' ? decisionsIn(work, place.facts) : checksIn(work.result),
    links: linksOf(work, place, traceId, first),
    status: statusOf(work, place.facts),
  };
}

function parentOf({ run, effect, kind }: TimedWork, openedBy: string | null): string | null {
  if (kind !== 'run') return run;
  return effect === null ? openedBy : run;
}

/** A further attempt is linked to the first one, a fork to the run that it came from. */
function linksOf({ attempt, kind, effect, run }: TimedWork, { forkedFrom }: SpanPlace, traceId: string, first: string) {
  if (attempt > 1) return [{ traceId, spanId: spanIdOf(first) }];
  if (kind !== 'run') return [];
  if (effect !== null) return [{ traceId, spanId: spanIdOf(run) }];
  return forkedFrom === null ? [] : [{ traceId: traceIdOf(forkedFrom), spanId: spanIdOf(forkedFrom) }];
}

interface Told {
  readonly name: string;
  readonly isClient?: boolean;
  readonly attributes: Named;
}

function told(work: TimedWork, place: SpanPlace): Told {
  if (work.kind === 'run') return toldOfRun(work, place);
  if (work.actor === 'streamModel' || isAnswer(work.result)) return toldOfModel(work, place);
  if (work.call) return toldOfTool(work, place);
  const name = work.kind === 'wait' ? 'wait' : work.actor;
  return { name: `loopfold.${name}`, attributes: { 'loopfold.effect': work.effect } };
}

const isAnswer = (result: Fact | null): boolean =>
  result?.type === 'model.completed' || result?.type === 'model.failed';

/** Loops of attempts are workflows, whose attempts are agents. */
function toldOfRun({ to }: TimedWork, { facts: { settings, start, decisions }, root }: SpanPlace): Told {
  const { loop, model, agent, attemptLimits } = settings;
  const isWorkflow = attemptLimits !== null;
  const name = agent ?? loop;
  return {
    name: `${isWorkflow ? OPERATION.workflow : OPERATION.agent} ${name}`,
    attributes: {
      [GENAI.operation]: isWorkflow ? OPERATION.workflow : OPERATION.agent,
      [isWorkflow ? GENAI.workflow : GENAI.agent]: name,
      [GENAI.conversation]: root,
      [GENAI.requestModel]: model,
      'loopfold.machine': start.payload.machine,
      'loopfold.ending': endingAt(decisions, to),
    },
  };
}

function toldOfModel({ result }: TimedWork, { facts: { settings }, root, withContent }: SpanPlace): Told {
  const model = settings.model ?? 'unknown';
  const agent = agentOfModel(model);
  const [provider = model] = (agent ?? model).split(/[/:]/);
  const answer = result?.type === 'model.completed' ? result.payload : null;
  const usage = answer?.usage ?? (result?.type === 'model.failed' ? result.payload.usage : null);
  const calls = answer?.calls ?? [];
  return {
    name: agent === null ? `${OPERATION.chat} ${model}` : `${OPERATION.agent} ${agent}`,
    isClient: true,
    attributes: {
      [GENAI.operation]: agent === null ? OPERATION.chat : OPERATION.agent,
      [GENAI.agent]: agent,
      [GENAI.provider]: provider,
      [GENAI.requestModel]: model,
      [GENAI.responseModel]: answer?.model,
      [GENAI.conversation]: root,
      [GENAI.inputTokens]: usage?.inputTokens,
      [GENAI.outputTokens]: usage?.outputTokens,
      [GENAI.cacheReadTokens]: usage?.cachedInputTokens,
      [GENAI.cacheWriteTokens]: usage?.cacheWriteTokens,
      [GENAI.finishReasons]: answer && [answer.cut ?? (calls.length > 0 ? 'tool_call' : 'stop')],
      [GENAI.error]: errorOf(result),
      'loopfold.usage.estimated': usage?.estimated,
      'loopfold.cost.nano_usd': usage?.cost?.nanoUsd,
      ...(withContent && answer ? { [GENAI.outputMessages]: messagesOf(answer) } : {}),
    },
  };
}

function messagesOf({ text, calls }: Extract<Fact, { type: 'model.completed' }>['payload']): string {
  const asked = calls.map(({ callId, tool, arguments: given }) => ({
    type: 'tool_call',
    id: callId,
    name: tool,
    arguments: given,
  }));
  const parts = [...(text === '' ? [] : [{ type: 'text', content: text }]), ...asked];
  return JSON.stringify([{ role: 'assistant', parts }]).slice(0, MAX_CONTENT_CHARS);
}

function toldOfTool({ result, call, effect }: TimedWork, { withContent }: SpanPlace): Told {
  const { output } = Object(result?.payload) as { readonly output?: unknown };
  return {
    name: `${OPERATION.tool} ${call?.tool}`,
    attributes: {
      [GENAI.operation]: OPERATION.tool,
      [GENAI.tool]: call?.tool,
      [GENAI.toolType]: 'function',
      [GENAI.toolCall]: call?.callId,
      [GENAI.error]: errorOf(result),
      'loopfold.effect': effect,
      ...(withContent
        ? {
            [GENAI.toolArguments]: JSON.stringify(call?.arguments).slice(0, MAX_CONTENT_CHARS),
            [GENAI.toolResult]: typeof output === 'string' ? output.slice(0, MAX_CONTENT_CHARS) : null,
          }
        : {}),
    },
  };
}

/** The code of a fault, or the kind of a result that is one. Null: it is no fault. */
function errorOf(result: Fact | null): string | null {
  const { fault } = Object(result?.payload) as { readonly fault?: { readonly code: string } | null };
  return fault?.code ?? (result !== null && FAILED.test(result.type) ? result.type : null);
}

const FAILED = /\.(?:failed|refused)$/;

/** What was interrupted, and a wait for a person, is no error. */
function statusOf({ kind, result, to }: TimedWork, { decisions }: RunFacts): OtlpSpan['status'] {
  if (kind === 'wait' || result === null) return { code: 0 };
  if (kind === 'run') {
    const ending = endingAt(decisions, to) ?? 'success';
    return ending === 'success' ? { code: 0 } : { code: 2, message: ending };
  }
  const error = errorOf(result);
  return error === null ? { code: 0 } : { code: 2, message: error };
}

/** The ending that the newest decision before a time came to. */
const endingAt = (decisions: RunFacts['decisions'], to: string): string | undefined =>
  decisions.findLast(({ at, payload }) => at <= to && payload.sink)?.payload.sink?.ending;

const decisionsIn = ({ from, to }: TimedWork, { decisions }: RunFacts) =>
  decisions
    .filter(({ at }) => at >= from && at <= to)
    .map(({ at, payload: { action, reason, evidence } }) => ({
      timeUnixNano: nanoseconds(at),
      name: 'loopfold.decision',
      attributes: attributesOf({ action, reason, evidence }),
    }));

function checksIn(result: Fact | null) {
  if (result?.type !== 'verification.completed') return [];
  return result.payload.levels.flatMap((level) =>
    level.checks.map(({ name, passed }) => ({
      timeUnixNano: nanoseconds(result.at),
      name: 'loopfold.check',
      attributes: attributesOf({ 'loopfold.check': name, passed, level: level.level }),
    })),
  );
}
