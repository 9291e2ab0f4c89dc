import { builtinTools } from '../../../actors/tools/builtin.ts';
import type { Tool } from '../../../actors/tools/tool.ts';
import { toolActor } from '../../../actors/tools/tool-actor.ts';
import { toolSpecs } from '../../../actors/tools/tool-specs.ts';
import { toolTable } from '../../../actors/tools/tool-table.ts';
import { inferredTraits } from '../../../detectors/traits-by-name.ts';
import type { TraitsOf } from '../../../detectors/traits.ts';
import type { EffectTools } from '../../../loops/shared/services/effect-tools.ts';
import { Sandboxes } from '../sandboxes.ts';
import { memoised } from './memoised.ts';

/** The tools that runs of this process offer to their models, by name. */
export interface ToolServices extends EffectTools {
  /** The tools that a run can name. */
  readonly toolNames: readonly string[];
  /** Those that every run with tools has, beside the ones that it names. */
  readonly offeredTools: readonly string[];
  /** What a tool has declared for detectors. */
  readonly traits: TraitsOf;
}

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
    traits: memoised((name: string) => {
      const said = all.find((tool) => tool.name === name)?.traits;
      return own.some((tool) => tool.name === name) ? { ...inferredTraits(name), ...said } : (said ?? {});
    }),
  };
}
