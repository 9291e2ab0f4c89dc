import type { LoopEvent, Usage } from '../../../machines/events.ts';
import type { Actor, EffectCall, EffectClass } from '../../../src/actors/actor.ts';
import type { Model, ReportedUsage, RequestedCall } from '../../../src/actors/model/model.ts';
import type { ToolInput } from '../../../src/actors/tools/tool-actor.ts';
import { stopped } from '../../support/stand-ins.ts';
import type { Chance } from './chance.ts';
import type { Plan } from './plan.ts';
import { type SimulatedProcess, thisSimulatedProcess } from './simulated-process.ts';

export const TOOL_CLASSES = {
  look: 'repeatable',
  put: 'reconcilable',
  send: 'once',
  nap: 'repeatable',
  deaf: 'once',
} as const satisfies Readonly<Record<string, EffectClass>>;
type ToolName = keyof typeof TOOL_CLASSES;

const CHANGING: readonly string[] = ['put', 'send', 'deaf'] satisfies ToolName[];

/** What happened outside of all processes, which no crash undoes. */
export class Outside {
  /** How often each call that changes something has been made, by its effect. */
  readonly made = new Map<string, number>();
  /** Those that may never be made again, whatever has become of their process. */
  readonly once = new Set<string>();
  readonly #chance: Chance;
  readonly #plan: Plan;

  constructor(chance: Chance, plan: Plan) {
    this.#chance = chance;
    this.#plan = plan;
  }

  readonly model: Model = {
    name: 'simulated',
    answer: async ({ step }, { signal }) => {
      const chance = this.#chance;
      const process = thisSimulatedProcess();
      await process.wait('asks the model', chance.below(400));
      const usage = this.#usage();
      const isLast = step >= chance.between(1, 6) || signal.aborted;
      const calls = isLast ? [] : Array.from({ length: chance.between(1, 3) }, () => this.#call());
      return { text: isLast ? 'done' : 'one moment', calls, ...(usage ? { usage } : {}) };
    },
  };

  /** Makes calls. One that changes something is counted at the moment of the change. */
  readonly tools: Actor<ToolInput> = {
    effectClass: ({ tool }) => (tool in TOOL_CLASSES ? TOOL_CLASSES[tool as ToolName] : 'once'),
    execute: (input, call) => this.#callTool(input, call, thisSimulatedProcess()),
    reconcile: async ({ callId }, { id }) => {
      await thisSimulatedProcess().wait('asks whether it happened', this.#chance.below(50));
      return this.made.has(id) ? { type: 'tool.completed', payload: { callId, output: 'it had happened' } } : null;
    },
  };

  async *#callTool(
    { callId, tool }: ToolInput,
    call: EffectCall,
    process: SimulatedProcess,
  ): AsyncGenerator<LoopEvent> {
    const chance = this.#chance;
    const interrupted: LoopEvent = { type: 'tool.interrupted', payload: { callId, reason: 'told to stop' } };
    if (call.signal.aborted) return yield interrupted;
    await process.wait(`begins ${tool}`, chance.below(100));
    if (this.tools.effectClass({ tool } as ToolInput) === 'once') this.once.add(call.id);
    if (CHANGING.includes(tool)) this.made.set(call.id, (this.made.get(call.id) ?? 0) + 1);
    const working = process.wait(`ends ${tool}`, tool === 'deaf' ? 1e9 : chance.below(tool === 'nap' ? 8_000 : 300));
    const isOver = working.then(() => true);
    const hears = tool === 'deaf' ? isOver : Promise.race([isOver, stopped(call).then(() => false)]);
    yield (await hears) ? { type: 'tool.completed', payload: { callId, output: `${tool} done` } } : interrupted;
  }

  #call(): RequestedCall {
    if (this.#plan.delegates && this.#chance.happens(0.2)) return { tool: 'delegate', arguments: { task: 'a part' } };
    const tool = this.#chance.pick(['look', 'look', 'put', 'put', 'send', 'send', 'nap', 'deaf']);
    return { tool: tool === 'deaf' && !this.#plan.hasDeafTools ? 'look' : tool, arguments: {} };
  }

  #usage(): ReportedUsage | null {
    const chance = this.#chance;
    const honest: Usage = { inputTokens: chance.between(100, 3_000), outputTokens: chance.between(1, 500) };
    if (!this.#plan.liesAboutUsage) return honest;
    return chance.pick<ReportedUsage | null>([
      honest,
      null,
      { inputTokens: 0, outputTokens: 0 },
      { inputTokens: 1, outputTokens: 1 },
      { inputTokens: honest.inputTokens },
      { inputTokens: -5, outputTokens: Number.NaN },
      { inputTokens: 0.5, outputTokens: 1e15 },
      { inputTokens: 40_000, outputTokens: 9_000 },
    ]);
  }
}
