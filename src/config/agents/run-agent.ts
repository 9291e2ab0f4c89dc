import { isAgentModel, modelOfAgent } from '../../../machines/agent-model.ts';
import { readAgentName } from '../../agents/agent-name.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import type { ParsedOptions } from '../options.ts';
import { CODER, CODER_TOOL_CALLS, isCoder } from './coder.ts';

/**
 * The options of a run with the agent that does its work. A loop of attempts has the one that ships where none is
 * named, with its own number of tool calls.
 */
export function withAgent(asked: ParsedOptions, hasAttempts: boolean): ParsedOptions {
  const foreign = withForeignAgent(asked);
  if (foreign) return foreign;
  const { agent = hasAttempts ? CODER : undefined } = asked;
  if (!isCoder(agent)) return asked;
  const { maxToolCalls = CODER_TOOL_CALLS } = asked;
  return { ...asked, agent, maxToolCalls };
}

/**
 * The options of a run whose work an agent of others does: it takes the place of the model, and has a prompt, tools and
 * instructions of its own. Null: no such agent is named.
 */
function withForeignAgent(asked: ParsedOptions): ParsedOptions | null {
  const { agent, system: _ours, systemAppend: _more, judge: _model, fallbackModel: _other, ...rest } = asked;
  const model = agent !== undefined && readAgentName(agent) ? modelOfAgent(agent) : asked.model;
  // The summary at the end of the run is built from its events: no model is there to write it.
  return model !== undefined && isAgentModel(model) ? { ...rest, model, tools: [], summaryTokens: 0 } : null;
}

/** The options that an agent of others cannot be held to, or given. */
export function foreignAgentFaults({ model, images = [] }: ParsedOptions): ConfigFault[] {
  if (model === undefined || !isAgentModel(model) || images.length === 0) return [];
  return [faultAt('images', images.length, 'none: an agent of others is given a text')];
}
