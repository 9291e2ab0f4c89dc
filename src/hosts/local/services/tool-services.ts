import { builtinTools } from '../../../actors/tools/builtin.ts';
import type { Tool } from '../../../actors/tools/tool.ts';
import { toolActor } from '../../../actors/tools/tool-actor.ts';
import { toolSpecs, toolTable } from '../../../actors/tools/tool-table.ts';
import { inferredTraits } from '../../../detectors/traits-by-name.ts';
import { Sandboxes } from '../sandboxes.ts';
import { memoised } from './memoise.ts';
import type { ToolServices } from '../../../ports/services.ts';

/** `own`: beside the built-in ones. Throws a `TypeError` where a name is taken twice, or no provider accepts it. */
export function toolServices(own: readonly Tool[] = []): ToolServices {
  const all = [...toolTable([...builtinTools(), ...own]).values()];
  const offered = (names: readonly string[]) => all.filter(({ name }) => names.includes(name));
  const actors = memoised((names: string) => toolActor(offered(names.split('\n'))));
  const specs = memoised((names: string) => toolSpecs(offered(names.split('\n'))));
  return {
    toolNames: all.map(({ name }) => name),
    offeredTools: all.flatMap(({ name, isAlwaysOffered }) => (isAlwaysOffered ? [name] : [])),
    tools: (names) => actors(names.join('\n')),
    toolSpecs: (names) => specs(names.join('\n')),
    callKind: ({ tool, arguments: given }, names) => {
      const { asksPerson, handsOver } =
        offered(names).find(({ name, input }) => name === tool && input.safeParse(given).success) ?? {};
      if (asksPerson) return 'person';
      return handsOver ? 'child' : 'tool';
    },
    sandboxes: new Sandboxes(),
    // Read where a run wants walls: others start without it.
    wantedSandbox: async (...of) => (await import('../sandbox-choice.ts')).wantedSandbox(...of),
    traits: memoised((name: string) => {
      const said = all.find((tool) => tool.name === name)?.traits;
      return own.some((tool) => tool.name === name) ? { ...inferredTraits(name), ...said } : (said ?? {});
    }),
  };
}
