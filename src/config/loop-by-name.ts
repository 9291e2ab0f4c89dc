import { z } from 'zod';
import { ContestOptions } from '../../machines/contest-facts.ts';
import { ImprovementOptions } from '../../machines/improvement-options.ts';
import { loopNameOf, newestOf } from '../../machines/index.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import { RalphLoopOptions } from '../ralph/ralph-options.ts';
import { type ConfigFault, faultAt, faultsOf, knownKeys } from '../options/config-fault.ts';
import { nearest } from '../text/nearest.ts';

/** A loop that can be run, as far as options go. A loop definition is one. */
export interface KnownLoop {
  readonly id: string;
  readonly settings?: {
    readonly bounds: readonly (keyof Limits)[];
    /** Caps that hold for each of its children, and not for the run. */
    readonly ofChildren?: readonly (keyof Limits)[];
    readonly options?: z.ZodType;
  };
  /** Present where the loop asks a strategy after its rounds. */
  readonly strategyInput?: unknown;
}

/** The built-in loops. */
export const SHIPPED: readonly KnownLoop[] = [
  { id: 'turn@1', settings: { bounds: ['maxSteps', 'maxTokens', 'maxTimeMs'] } },
  {
    id: 'iteration@1',
    settings: { bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'], ofChildren: ['maxSteps', 'maxToolCalls'] },
    strategyInput: true,
  },
  {
    id: 'ralph@1',
    settings: {
      bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'],
      ofChildren: ['maxSteps', 'maxToolCalls'],
      options: RalphLoopOptions,
    },
    strategyInput: true,
  },
  {
    id: 'improvement@1',
    settings: {
      bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'],
      ofChildren: ['maxSteps', 'maxToolCalls'],
      options: ImprovementOptions,
    },
  },
  {
    id: 'contest@1',
    settings: {
      bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'],
      ofChildren: ['maxSteps', 'maxToolCalls'],
      options: ContestOptions,
    },
  },
];

/** Their names, each once. */
export const SHIPPED_NAMES: readonly string[] = [...new Set(SHIPPED.map(({ id }) => loopNameOf(id)))];

/** The name of a loop, whatever its version. */
export const nameOf = ({ id }: Pick<KnownLoop, 'id'>): string => loopNameOf(id);

/** The loop of a name, or the fault of an unknown name. */
export function knownLoop(name: string, loops: readonly KnownLoop[]): KnownLoop | ConfigFault {
  const found = newestOf(name, loops);
  if (found) return found;
  const names = [...new Set(loops.map(({ id }) => loopNameOf(id)))];
  const quoted = names.map((known) => `'${known}'`);
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return faultAt('loop', name, expected, nearest(name, names));
}

/** Whether the caps `maxSteps` and `maxToolCalls` apply to its children. */
export const boundsChildren = ({ settings }: KnownLoop): boolean => (settings?.ofChildren?.length ?? 0) > 0;

export type OwnOptions =
  | { readonly kind: 'options'; readonly options: RunSettings['options'] }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/** A loop's own options, with the defaults of its schema. */
export function ownOptions({ id, settings }: KnownLoop, given: unknown): OwnOptions {
  const schema = settings?.options;
  if (!schema) {
    const fault = faultAt('options', given, `nothing: the loop ${loopNameOf(id)} has no options of its own`);
    return given === undefined ? { kind: 'options', options: undefined } : { kind: 'refused', faults: [fault] };
  }
  const input = { options: given ?? {} };
  const parsed = schema.safeParse(input.options);
  if (parsed.success) return { kind: 'options', options: parsed.data as RunSettings['options'] };
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['options', ...issue.path] }));
  const known = knownKeys(schema);
  return { kind: 'refused', faults: faultsOf(new z.ZodError(issues), input, (path) => known(path.slice(1))) };
}
