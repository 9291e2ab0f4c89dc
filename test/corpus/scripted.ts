import canonicalize from 'canonicalize';
import type { LoopEvent } from '../../machines/events.ts';
import type { ModelRequest } from '../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../src/actors/model/script.ts';
import type { ToolReply } from '../../src/actors/tools/tool.ts';
import type { RunOptions } from '../../src/config/options.ts';
import type { EffectHandlers, Execution } from '../../src/kernel/effect-handlers.ts';
import { taskIn } from '../support/delegation.ts';
import type { Called, Said, Told } from './telling.ts';

const USAGE = { inputTokens: 900, outputTokens: 40 };
const CHECKS = ['L0:npm run build', 'L1:npm test'];

export interface Left {
  readonly tree: string;
  readonly changed: readonly string[];
}

/** A told story as those who play it need it. */
export interface Scripted {
  readonly options: Partial<RunOptions>;
  readonly tools: readonly string[];
  /** The work of each attempt: the hash of its files, and those that it changed. */
  readonly trees: readonly Left[];
  readonly answer: (request: ModelRequest) => ScriptedAnswer;
  readonly resultOf: (tool: string, given: unknown) => ToolReply;
  readonly passes: (check: string, workspace: string | null) => boolean;
  /** What the model says next, where it is one model that speaks. */
  readonly next: () => Said | null;
  readonly skip: () => void;
}

const NOTHING = {
  tools: [],
  trees: [{ tree: 'tree', changed: [] }],
  next: () => null,
  skip: () => {},
  passes: () => true,
  resultOf: () => ({ output: '' }),
};

export function scripted(told: Told): Scripted {
  switch (told.kind) {
    case 'turn':
      return turnOf(told);
    case 'loop':
      return loopOf(told);
    case 'handing':
      return handingOf(told);
  }
}

function turnOf({ says, checks }: Told & { readonly kind: 'turn' }): Scripted {
  const calls = says.flatMap(({ calls: some = [] }) => some);
  const left = [...calls];
  const verdicts = [...(checks ?? [])];
  let at = 0;
  return {
    ...NOTHING,
    options: { loop: 'turn', maxSteps: 100, ...(checks ? { checks: CHECKS.slice(1) } : {}) },
    tools: calls.filter(({ isUnknown }) => !isUnknown).map(({ tool }) => tool),
    answer: () => {
      const said = says[at++] ?? { text: 'That is all I can do.' };
      return {
        text: said.text ?? '',
        calls: (said.calls ?? []).map(({ tool, arguments: given }) => ({ tool, arguments: { ...given } })),
        usage: USAGE,
      };
    },
    resultOf: (tool, given) =>
      replyOf(
        left.splice(
          left.findIndex((one) => isCall(one, tool, given)),
          1,
        )[0],
      ),
    passes: () => verdicts.shift() ?? true,
    next: () => says[at] ?? null,
    skip: () => {
      at += 1;
    },
  };
}

const isCall = (call: Called, tool: string, given: unknown) =>
  call.tool === tool && canonicalize(call.arguments) === canonicalize(given);

function replyOf(call: Called | undefined): ToolReply {
  if (call?.fails !== undefined) throw new Error(call.fails);
  return { output: call?.output ?? 'ok' };
}

function loopOf({ attempts }: Told & { readonly kind: 'loop' }): Scripted {
  let checked = 0;
  return {
    ...NOTHING,
    options: { loop: 'iteration', checks: [...CHECKS], strategy: 'fixed', maxIterations: attempts.length },
    trees: attempts.map(({ tree, changed = ['src/work.ts'] }, index) => ({
      tree,
      changed: attempts[index - 1]?.tree === tree ? [] : changed,
    })),
    answer: ({ iteration }) => ({ text: attempts[iteration]?.says ?? 'done', usage: USAGE }),
    passes: (name) => {
      const isFirst = CHECKS[0]?.endsWith(name) ?? false;
      if (isFirst) checked += 1;
      return attempts[checked - 1]?.passes[isFirst ? 0 : 1] ?? true;
    },
  };
}

function handingOf({ hands }: Told & { readonly kind: 'handing' }): Scripted {
  const handed = new Map<string, number>();
  return {
    ...NOTHING,
    options: { loop: 'turn', maxSteps: 60 },
    tools: ['delegate'],
    answer: (request) => {
      const task = taskIn(request);
      const to = hands.find((one) => one.task === task)?.to ?? [];
      const at = handed.get(task) ?? 0;
      const next = to[at];
      handed.set(task, at + 1);
      if (!next) return { text: `${task}: that is done.`, usage: USAGE };
      return {
        text: `${next.agent} is the one for that.`,
        calls: [{ tool: 'delegate', arguments: { agent: next.agent, task: next.task } }],
        usage: USAGE,
      };
    },
  };
}

/** Summaries of a full conversation and cut answers, which a script cannot express by itself. */
export function withFullness(cast: EffectHandlers, script: Scripted): EffectHandlers {
  return {
    ...cast,
    execute: (effect, context) => {
      if (effect.actor === 'summarise' && effect.key === 'compaction') {
        return saying({
          type: 'context.compacted',
          payload: { summary: 'What was done so far, in a few words.', usage: USAGE },
        });
      }
      const said = effect.actor === 'streamModel' ? script.next() : null;
      if (said?.isFull) {
        script.skip();
        return saying({ type: 'context.filled', payload: { usage: { inputTokens: 0, outputTokens: 0 } } });
      }
      const execution = cast.execute(effect, context);
      return said?.cut && execution.kind === 'actor'
        ? { ...execution, execute: (call) => cutShort(execution.execute(call)) }
        : execution;
    },
  };
}

const saying = (event: LoopEvent): Execution => ({
  kind: 'actor',
  effectClass: 'repeatable',
  async *execute() {
    yield event;
  },
});

async function* cutShort(events: AsyncIterable<LoopEvent>): AsyncIterable<LoopEvent> {
  for await (const event of events)
    yield event.type === 'model.completed' ? { ...event, payload: { ...event.payload, cut: 'length' } } : event;
}
