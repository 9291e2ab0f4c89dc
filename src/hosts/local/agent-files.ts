import type { Agent } from '../../config/agents/agent.ts';
import { findAgent } from '../../config/agents/find-agent.ts';
import { DEFAULT_TOOLS } from '../../config/defaults.ts';
import type { Variables } from '../../config/environment.ts';
import { foldersUpwards, userFolder } from '../../config/places.ts';
import type { AgentLookup } from './agents.ts';

/**
 * Agents as they are found beside the work, and with the user: in AGENTS.md, `.loopfold/agents` and their like. Files may
 * be changed by whoever works there, so nobody who is found so has a tool that its giver lacks.
 *
 * @example
 * const loops = new Loops({ log: memoryLog(), agents: agentFiles() });
 */
export function agentFiles(env: Variables = process.env): AgentLookup {
  return async (name, giver) => {
    const found = await findAgent(name, await foldersUpwards(giver.directory), userFolder(env));
    switch (found.kind) {
      case 'refused':
        return { kind: 'refused', reason: found.problems.join('\n') };
      case 'unknown':
        return { kind: 'unknown', known: found.known };
      case 'agent': {
        const reason = distrusted(found.agent);
        if (reason !== null) return { kind: 'refused', reason: `the agent ${found.agent.name} cannot be used: ${reason}` };
        const { system, model, maxSteps, maxToolCalls, tools = DEFAULT_TOOLS } = found.agent.options;
        const own = {
          ...(system === undefined ? {} : { system }),
          ...(model === undefined ? {} : { model }),
          maxSteps: numberIn(maxSteps),
          maxToolCalls: numberIn(maxToolCalls),
        };
        return { kind: 'agent', agent: { name: found.agent.name, ...own, tools: tools.filter((tool) => giver.tools.includes(tool)) } };
      }
    }
  };
}

/** No person has named this agent, so what its page may do without being asked about is less. */
function distrusted({ others, options: { model } }: Agent): string | null {
  if (others?.isOthers) return 'others can change its file';
  return others && model?.startsWith('script:') ? 'it brings a scripted model, which calls the tools it likes' : null;
}

/** The readers of agents give whole numbers, or nothing. */
const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);
