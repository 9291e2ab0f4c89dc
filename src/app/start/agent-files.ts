import type { Agent } from '../../config/agents/agent.ts';
import { isCoder } from '../../config/agents/coder.ts';
import { findAgent } from '../../config/agents/find-agent.ts';
import { parametersOfAgent } from '../../config/parameters.ts';
import { DEFAULT_TOOLS } from '../../config/tools.ts';
import type { Variables } from '../../config/environment.ts';
import { foldersUpwards, userFolder } from '../../config/places.ts';
import type { AgentLookup, AgentOptions } from '../../ports/agents.ts';

/**
 * Finds agents in the files of the workspace and of the user: in AGENTS.md, `.loopfold/agents` and similar. Anyone who
 * works in the workspace can change such a file, so an agent from a file never has a tool that its delegator lacks.
 *
 * @example
 * const loops = new Loops({ log: memoryLog(), agents: agentFiles() });
 */
export function agentFiles(env: Variables = process.env): AgentLookup {
  return async (name, delegator) => {
    const found = await findAgent(name, await foldersUpwards(delegator.directory), userFolder(env));
    switch (found.kind) {
      case 'refused':
        return { kind: 'refused', reason: found.problems.join('\n') };
      case 'unknown':
        return { kind: 'unknown', known: found.known };
      case 'agent': {
        const reason = distrusted(found.agent);
        if (reason !== null)
          return { kind: 'refused', reason: `the agent ${found.agent.name} cannot be used: ${reason}` };
        const { system, model, maxSteps, maxToolCalls, tools = DEFAULT_TOOLS } = found.agent.options;
        const own = {
          ...(system === undefined ? ofCoder(found.agent) : { system }),
          ...(model === undefined ? {} : { model }),
          ...parametersOfAgent(found.agent.options),
          maxSteps: numberIn(maxSteps),
          maxToolCalls: numberIn(maxToolCalls),
        };
        return {
          kind: 'agent',
          agent: { name: found.agent.name, ...own, tools: tools.filter((tool) => delegator.tools.includes(tool)) },
        };
      }
    }
  };
}

/** Its prompt is made where its work begins, and is not that of its delegator. */
const ofCoder = ({ name, file }: Agent): Pick<AgentOptions, 'system'> =>
  file === null && isCoder(name) ? { system: null } : {};

/** A model names this agent, not a person, so fewer files are trusted. */
function distrusted({ others, options: { model } }: Agent): string | null {
  if (others?.isOthers) return 'others can change its file';
  return others && model?.startsWith('script:') ? 'it brings a scripted model, which calls the tools it likes' : null;
}

/** The readers of agents return whole numbers, or nothing. */
const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);
