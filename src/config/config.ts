import { z } from 'zod';
import { DEFAULT_TOOLS } from './tools.ts';
import { knownKeys } from '../options/config-fault.ts';
import { SHIPPED_NAMES } from './loop-by-name.ts';
import { LOOP_PATH, isLoopPath } from './loop-path.ts';
import { type Option, OPTION_ROWS, OPTIONS } from '../options/option-table.ts';
import { McpServers } from './mcp-file.ts';
import { RunOptions, TrueOrFalse } from './options.ts';
import { Providers } from '../actors/model/providers.ts';
import { isAbsolute, resolve } from 'node:path';

const FORMAT = 'text, json or stream-json';

/** What stdout carries. */
export const OutputFormat = z.enum(['text', 'json', 'stream-json'], { error: FORMAT });
export type OutputFormat = z.infer<typeof OutputFormat>;

const { prompt: _prompt, directory: _directory, loop: _loop, continues: _continues, ...ofRuns } = RunOptions.shape;

const NAMES = SHIPPED_NAMES.map((name) => `'${name}'`).join(', ');
const LOOP = `${NAMES}, or the path of a module with a loop, such as ./my-loop.ts`;
const LoopOption = z.union([z.enum(SHIPPED_NAMES, { error: LOOP }), z.string().regex(LOOP_PATH, { error: LOOP })], {
  error: LOOP,
});

/**
 * Every option of a configuration file, the environment and the command line. One name for each: `maxSteps` is
 * `LOOPFOLD_MAX_STEPS` is `--max-steps`.
 */
export const Config = z.strictObject(
  {
    loop: LoopOption.optional(),
    ...ofRuns,
    providers: Providers.optional(),
    mcpServers: McpServers.optional(),
    mcpConfig: z.string().regex(/\S/, { error: 'the path of a file with MCP servers' }).optional(),
    log: z.string().regex(/\S/, { error: 'the address of a log' }).optional(),
    outputFormat: OutputFormat.optional(),
    quiet: TrueOrFalse.optional(),
    verbose: TrueOrFalse.optional(),
    deltas: TrueOrFalse.optional(),
  },
  { error: 'an object with options' },
) satisfies z.ZodObject<Record<Option, z.ZodType>>;
export type Config = z.input<typeof Config>;

export const configKeys = knownKeys(Config);

/** Those that a run is started with: not what decides where it is recorded, and how it is shown. */
export function runValues({
  log,
  providers,
  mcpServers,
  mcpConfig,
  outputFormat,
  quiet,
  verbose,
  deltas,
  ...options
}: Config): Omit<
  Config,
  'log' | 'providers' | 'mcpServers' | 'mcpConfig' | 'outputFormat' | 'quiet' | 'verbose' | 'deltas'
> {
  return options;
}

/** The defaults. Those of the strategy and its iterations depend on the loop. */
export const DEFAULTS: Config = {
  ...Object.fromEntries(OPTIONS.flatMap((option) => defaultOf(option))),
  tools: [...DEFAULT_TOOLS],
};

function defaultOf(option: Option): readonly (readonly [Option, unknown])[] {
  const value = OPTION_ROWS[option].default;
  return value === null ? [] : [[option, value]];
}

/** What a configuration file that is code may export. */
export type ConfigExport = Config | (() => Config | Promise<Config>);

/**
 * Returns its argument: an editor then knows the options of a `loopfold.config.ts`.
 *
 * @example
 * export const config = defineConfig({ checks: ['npm test'], maxIterations: 5 });
 */
export const defineConfig = <Exported extends ConfigExport>(config: Exported): Exported => config;

/** The options that may name a file, with the prefix of such an address. */
const FILES: readonly (readonly [keyof Config, string])[] = [
  ['model', 'script:'],
  ['fallbackModel', 'script:'],
  ['judge', 'script:'],
  ['log', 'sqlite:'],
];

/**
 * The options with absolute paths in place of those relative to a folder, so that a run can be resumed from anywhere.
 */
export function fromFolder(values: Config, folder: string): Config {
  const absolute = FILES.flatMap(([option, prefix]) => {
    const value = values[option];
    if (typeof value !== 'string' || !value.startsWith(prefix) || value === prefix) return [];
    const path = value.slice(prefix.length);
    return isAbsolute(path) ? [] : [[option, `${prefix}${resolve(folder, path)}`]];
  });
  const { loop } = values;
  const heldOut = typeof values.heldOut === 'string' ? { heldOut: resolve(folder, values.heldOut) } : {};
  const images = values.images?.map((one) => (typeof one === 'string' ? resolve(folder, one) : one));
  const ownLoop = typeof loop === 'string' && isLoopPath(loop) ? { loop: resolve(folder, loop) } : {};
  return { ...values, ...Object.fromEntries(absolute), ...ownLoop, ...heldOut, ...(images ? { images } : {}) };
}
