import { z } from 'zod';
import type { Ceilings } from '../../options/defaults.ts';
import { faultsOf, knownKeys } from '../../options/config-fault.ts';
import { Providers } from '../../actors/model/providers.ts';
import type { Log } from '../../log/log.ts';
import type { Secret } from '../../log/secret-variables.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { RemoteAddress } from '../../git/remote/remote-address.ts';
import { type AnyModel, isModel } from './model-by-name.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import type { ServiceOptions } from './service-options.ts';

export interface LoopsOptions extends ServiceOptions {
  readonly log: Log;
  /** Loops beside those that ship, made by `defineLoop`. One that cannot be hosted throws an `OptionsError` at once. */
  readonly loops?: readonly LoopDefinition[];
  /** Raises the ceilings of limits in run options. */
  readonly ceilings?: Partial<Ceilings>;
  /**
   * Values of at least 8 characters that are never recorded. Default: what `secretsOf` finds. Texts that look like keys
   * never are.
   */
  readonly secrets?: readonly Secret[];
  /**
   * The file of the registry in which runs hold their workspaces, so that no two write in one folder. Default: one for
   * all programs of the user, in its state folder. Null: none, for a host that keeps its runs apart itself.
   */
  readonly holds?: string | null;
  /** What a person has allowed for good in the project of a folder. Default: nothing. */
  readonly permitted?: (directory: string) => Promise<readonly string[]>;
  /** Called with problems that are no error of a run. Default: a warning of the process. */
  readonly warn?: (message: string) => void;
  /** Subscribes to every tree of runs that works here, as one that is given to `start` does to its run. */
  readonly watch?: Watch;
}

const object = (expected: string) =>
  z.custom<object>((value) => typeof value === 'object' && value !== null, { error: expected });
const callable = (expected: string) =>
  z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', { error: expected });
/** An object, also one of a class, with these members: functions, but for those named as texts. */
const having = (expected: string, members: readonly string[], texts: readonly string[] = []) =>
  z.custom<object>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      members.every((member) => typeof Reflect.get(value, member) === 'function') &&
      texts.every((text) => typeof Reflect.get(value, text) === 'string'),
    { error: expected },
  );
const TOOL = 'a tool, as defineTool returns it: name, description, input and run';
const tool = having(TOOL, ['run'], ['name', 'description']).refine(
  (value) => typeof Reflect.get(Object(Reflect.get(value, 'input')), 'safeParse') === 'function',
  { error: TOOL },
);
const SECRET = 'a secret: { name, value }';
const secret = z.strictObject(
  { name: z.string({ error: SECRET }), value: z.string({ error: SECRET }) },
  { error: SECRET },
);
const list = (expected: string) => z.array(z.unknown(), { error: expected }).readonly();
const DETECTOR = 'a detector: name, and init and step as functions';
const MODEL = 'a model: its name, one of the AI SDK (specification v2, v3 or v4), or { name, answer }';
const HOLDS = 'the path of a file, or null for none';
const CEILING = 'a whole number, or null for none';
const ceiling = z.int({ error: CEILING }).nonnegative({ error: CEILING }).nullable().optional();

/** Every option, so that any other is refused. What an option holds is checked as far as a caller could mistype it. */
const KnownOptions = z.strictObject(
  {
    log: having('a log, such as memoryLog()', ['append', 'read', 'run', 'runs', 'acquire']),
    loops: list('a list of loops made by defineLoop').optional(),
    ceilings: z.strictObject({ steps: ceiling, iterations: ceiling }, { error: '{ steps, iterations }' }).optional(),
    secrets: z.array(secret, { error: 'a list of secrets' }).readonly().optional(),
    holds: z.string({ error: HOLDS }).min(1, { error: HOLDS }).nullable().optional(),
    permitted: callable('a function that takes a folder').optional(),
    warn: callable('a function that takes a message').optional(),
    watch: callable('a function that takes observables').optional(),
    model: z.custom<AnyModel>(isModel, { error: MODEL }).optional(),
    providers: Providers.optional(),
    environment: object('the variables of an environment').optional(),
    handedServers: list('a list of MCP servers').optional(),
    tools: z.array(tool, { error: 'a list of tools' }).readonly().optional(),
    agents: callable('a function that finds an agent, such as agentFiles()').optional(),
    strategies: having('a registry, such as builtInStrategies()', ['create', 'list', 'kinds', 'warnings']).optional(),
    strategyLimitMs: z.number({ error: 'milliseconds' }).positive({ error: 'milliseconds, more than 0' }).optional(),
    detectors: z
      .array(having(DETECTOR, ['init', 'step'], ['name']), { error: 'a list of detectors' })
      .readonly()
      .optional(),
    attendant: callable('a function that asks a person about a finding').optional(),
    batch: having('a batch service: submit and result, as functions', ['submit', 'result']).optional(),
    captures: RemoteAddress.optional(),
    clock: having('a clock: now and sleepUntil, as functions', ['now', 'sleepUntil']).optional(),
  } satisfies { readonly [option in keyof Required<LoopsOptions>]: z.ZodType },
  { error: 'the options of Loops' },
);

/** Throws an `OptionsError` that names each option that there is not, and what was probably meant. */
export function assertLoopsOptions(options: unknown): void {
  const parsed = KnownOptions.safeParse(options);
  if (parsed.success) return;
  // None of them has a flag, and no message repeats a secret.
  const faults = faultsOf(parsed.error, options, knownKeys(KnownOptions)).map((fault) => ({
    ...fault,
    flag: null,
    ...(fault.field.startsWith('secrets') && fault.value !== undefined ? { value: `a ${typeof fault.value}` } : {}),
  }));
  throw new OptionsError(faults);
}
