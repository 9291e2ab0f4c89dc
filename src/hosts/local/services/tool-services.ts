import type { Actor } from '../../../actors/actor.ts';
import type { ToolSpec } from '../../../actors/tool-spec.ts';
import { builtinTools } from '../../../actors/tools/builtin.ts';
import type { Tool } from '../../../actors/tools/tool.ts';
import { toolActor, type ToolInput } from '../../../actors/tools/tool-actor.ts';
import { toolSpecs } from '../../../actors/tools/tool-specs.ts';
import { toolTable } from '../../../actors/tools/tool-table.ts';
import { inferredTraits } from '../../../detectors/traits-by-name.ts';
import type { TraitsOf } from '../../../detectors/traits.ts';
import type { CallKindOf } from '../../../kernel/own-judgement.ts';
import { Sandboxes } from '../sandboxes.ts';
import { memoised } from './memoised.ts';

/** The tools that runs of this process offer to their models, by name. */
export interface ToolServices {
  /** The tools that a run can name. */
  readonly toolNames: readonly string[];
  readonly tools: (names: readonly string[]) => Actor<ToolInput>;
  readonly toolSpecs: (names: readonly string[]) => readonly ToolSpec[];
  /** Who answers a call. `person` and `child`: only where its tool is offered and its arguments fit that tool. */
  readonly callKind: CallKindOf;
  /** What a tool has declared for detectors. */
  readonly traits: TraitsOf;
  /** The walls around the commands of runs. */
  readonly sandboxes: Sandboxes;
}

/** `own`: beside the built-in ones. Throws a `TypeError` where a name is taken twice, or no provider accepts it. */
export function toolServices(own: readonly Tool[] = []): ToolServices {
  const all = [...toolTable([...builtinTools(), ...own]).values()];
  const offered = (names: readonly string[]) => all.filter(({ name }) => names.includes(name));
  const actors = memoised((names: string) => toolActor(offered(names.split('\n'))));
  const specs = memoised((names: string) => toolSpecs(offered(names.split('\n'))));
  return {
    toolNames: all.map(({ name }) => name),
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
