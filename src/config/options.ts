import { z } from 'zod';
import { EFFORTS } from '../../machines/model-parameters.ts';
import { CommandLimits, NetworkReach } from '../../machines/command-reach.ts';
import { CUSTOM_SHORTHAND, isStrategyText, strategyNamed } from '../strategies/custom-config.ts';
import {
  answerTokens,
  attempts,
  cap,
  duration,
  iterations,
  milliseconds,
  money,
  size,
  timeout,
  TIMEOUT,
  written,
} from './amounts.ts';
import { CheckOption, CiOption, command } from './check-option.ts';
import { DetectorsOption } from './detectors-option.ts';
import { HooksOption } from './hooks-option.ts';
import { PermissionsOption, ProfileOption } from './permission-option.ts';
import { PromiseOption } from '../ralph/completion-promise.ts';
import { json } from '../text/json-value.ts';
import { SchemaOption } from './schema-option.ts';
import { BOOLEAN, said } from './said-text.ts';
import { VariableName, WebhooksOption } from './webhook-option.ts';

// Every `error` is the end of the sentence "expected …" in a fault.

/** The longest prompt or system prompt. */
export const MAX_PROMPT_CHARACTERS = 1_000_000;

const longText = (what: string) =>
  said(what).refine((text) => text.length <= MAX_PROMPT_CHARACTERS, {
    error: `${what}, in at most ${MAX_PROMPT_CHARACTERS} characters`,
  });

const COMPETITORS = 'a list of agents of others, or of models';

const MAX_TEMPERATURE = 2;
const TEMPERATURE = `a number from 0 to ${MAX_TEMPERATURE}, such as 0.2`;
const heat = z
  .number({ error: TEMPERATURE })
  .min(0, { error: TEMPERATURE })
  .max(MAX_TEMPERATURE, { error: TEMPERATURE });
const temperature = z.union(
  [
    heat,
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number)
      .pipe(heat),
  ],
  {
    error: TEMPERATURE,
  },
);
const OF_PROVIDERS = 'an object by provider, such as {"openai": {"serviceTier": "flex"}}';
const EFFORT = EFFORTS.map((effort) => `'${effort}'`).join(', ');

const IMAGE = 'the path of an image, or { data, name } with its content in base64';
const ImageOption = z.union(
  [said(IMAGE), z.strictObject({ data: z.base64({ error: IMAGE }), name: said(IMAGE).optional() })],
  {
    error: IMAGE,
  },
);

const POLLING = 'commands as patterns, such as gh run *';

const STRATEGY = `a strategy's name, ${CUSTOM_SHORTHAND}, or {name, config}`;
const StrategyFields = z.strictObject({
  name: said("a strategy's name"),
  config: z
    .object({ maxIterations: iterations.optional() }, { error: 'an object' })
    .catchall(json('a JSON value'))
    .prefault({}),
});
const StrategyText = said(STRATEGY)
  .transform((text) => text.trim())
  .refine(isStrategyText, { error: STRATEGY });
const StrategyOption = z.union([StrategyText.transform(strategyNamed), StrategyFields], { error: STRATEGY });

const STATE_DIRECTORY = 'a folder in the workspace, as a path from there, and not in .git or .loopfold';

/** Checks the path alone. Links are followed when it is written to. */
function isInside(path: string): boolean {
  const parts = path.split(/[\\/]/).map((part) => part.trim().toLowerCase());
  return (
    !/^([\\/~]|[A-Za-z]:)/.test(path) &&
    !parts.some((part) => ['..', '.git', '.loopfold'].includes(part)) &&
    !path.includes('\0')
  );
}

/** The longest glob of files that are grounds, or are not. */
const MAX_GLOB_CHARACTERS = 1_000;
const GLOB =
  "a glob from the top of the repository, such as checks/**, without a leading '!', in at most " +
  `${MAX_GLOB_CHARACTERS} characters`;
const Globs = z.array(
  said(GLOB).refine((glob) => isInside(glob) && !glob.startsWith('!') && glob.length <= MAX_GLOB_CHARACTERS, {
    error: GLOB,
  }),
  { error: 'a list of globs' },
);

export const TrueOrFalse = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
  error: BOOLEAN,
});

const DEPENDENCIES = 'a list of names of folders, or of paths from the top of the repository';
const DEPENDENCY = 'the name of a folder, or its path from the top of the repository';
const HOME_PATHS = 'a list of paths of files or folders, from the home';
const HELD_OUT = "'count', 'names' or 'all'";
const PROVIDED = 'a list of paths of files or folders, from the top of the repository';

/**
 * The options of a run, in a file, the environment, a flag or code. Each has one name: see `option-table.ts`.
 *
 * `images` belong to the prompt. `effort`, `temperature`, `maxAnswerTokens` and `providerOptions` say how the model is
 * asked.
 * `continues` names a run that has ended: the new run continues its conversation, and has those of its settings that
 * are not given. `threadMaxCost` bounds what all runs of such a thread cost.
 *
 * Caps are whole numbers or `'none'`; `maxCost` is US dollars. `maxTime` is milliseconds, or text with a unit. In a
 * loop of iterations `maxSteps` and `maxToolCalls` apply to each attempt, the other caps to the whole run. Of the
 * calls of one answer `maxParallel` run at once, the others are queued. A check or a strategy may be written as one
 * string; `checkTimeout` is the time of those that have no `timeoutMs`. `agent` is only recorded: the command line
 * reads the agent's file. The agent `Coder`, which is that of a loop of attempts without one, has a system prompt of
 * its own: `system` replaces it, and `systemAppend` stands below either. `instructions` are those of the project, in
 * `AGENTS.md` and the like: a run with an agent has them. `loop` is the name of a known loop; `options` are its own
 * options. With `attempts` so many runs of it compete, `parallel` at once, by the `agents` in turn. A label such as
 * `ralph-wiggum-5` chooses a loop, too. With `isolateFrom: 'HEAD'` an isolated run begins
 * with the files of the commit, and what is not committed stays behind; `deps` are the folders that it gets beside
 * what git keeps, and a proof. `checkIn` says where checks run: in a clean checkout of what was recorded, or in the
 * workspace. `protect` and `unprotect` are globs of files that checks rest on, and of files that they do not: from the
 * top of the repository, or names at any level. `provide` are files that git ignores and that each such checkout gets,
 * and `prepare` commands that run there before the checks; `homePaths` are what those may read of the home. `heldOut`
 * is a folder outside of the workspace whose files are laid over such a checkout for `heldOutChecks` alone; of those
 * that fail the agent is told what `heldOutTells` says. Changes of grounds that `allowGrounds` fits count where the
 * work rests on them; without `wait`, about others no person is asked. `requireRed` ends a run whose checks all pass
 * before any work. `walls`, `control` and `legs` say how much a proof has to have: less is a lower grade. `accept` is
 * the lowest grade of a success that is enough. `sandbox` are walls around the commands of the agent, `network` is
 * what these reach, and `sandboxWrite` what they may write to beside the workspace; `sandboxLimits` are those of one
 * command.
 *
 * @example
 * const options: RunOptions = { prompt: 'Fix the tests', checks: ['L1:npm test'], maxIterations: 5, maxTime: '30m' };
 */
export const RunOptions = z.strictObject(
  {
    prompt: longText('a prompt that says what to do'),
    images: z.array(ImageOption, { error: `a list of images: ${IMAGE}` }).optional(),
    loop: said("a loop's name").optional(),
    labels: z.array(said('a label'), { error: 'a list of labels' }).optional(),
    completionPromise: PromiseOption.optional(),
    context: z.enum(['fresh', 'continue'], { error: "'fresh' or 'continue'" }).optional(),
    adaptiveIterations: TrueOrFalse.optional(),
    options: z.record(z.string(), json('a JSON value'), { error: "an object with the loop's own options" }).optional(),
    model: said('the name of a model, such as script:FILE').optional(),
    fallbackModel: said('the name of a model, such as script:FILE').optional(),
    judge: said('the name of a model, such as script:FILE').optional(),
    effort: z.enum(EFFORTS, { error: `one of ${EFFORT}` }).optional(),
    temperature: temperature.optional(),
    maxAnswerTokens: answerTokens.optional(),
    providerOptions: z
      .record(z.string(), z.record(z.string(), json('a JSON value'), { error: OF_PROVIDERS }), { error: OF_PROVIDERS })
      .optional(),
    agent: said("an agent's name").optional(),
    attempts: attempts.optional(),
    parallel: attempts.optional(),
    agents: z.array(said(COMPETITORS), { error: COMPETITORS }).min(1, { error: COMPETITORS }).optional(),
    system: longText('a system prompt').optional(),
    systemAppend: longText('a text for the end of the system prompt').optional(),
    instructions: z.enum(['project', 'none'], { error: "'project' or 'none'" }).optional(),
    tools: z.array(said("a tool's name"), { error: 'a list of tool names' }).optional(),
    outputSchema: SchemaOption.optional(),
    hooks: HooksOption.optional(),
    permissions: PermissionsOption.optional(),
    permissionProfile: ProfileOption.optional(),
    environment: z.array(VariableName, { error: 'a list of names of environment variables' }).optional(),
    directory: said('a folder').optional(),
    maxSteps: cap(0, 'steps').optional(),
    maxToolCalls: cap(1, 'tool calls').optional(),
    maxParallel: written(1, 'a whole number of calls, 1 or more').optional(),
    maxTokens: cap(1, 'tokens').optional(),
    maxTime: duration.optional(),
    maxCost: money.optional(),
    threadMaxCost: money.optional(),
    continues: said('the id of a run that has ended').optional(),
    maxIterations: iterations.optional(),
    checks: z.array(CheckOption, { error: 'a list of checks' }).optional(),
    checkTimeout: timeout(TIMEOUT).optional(),
    ci: CiOption.optional(),
    strategy: StrategyOption.optional(),
    detectors: DetectorsOption.optional(),
    polling: z.array(said(POLLING), { error: POLLING }).optional(),
    summaryTokens: written(0, 'a whole number of tokens, 0 or more').optional(),
    stateDirectory: said(STATE_DIRECTORY).refine(isInside, { error: STATE_DIRECTORY }).optional(),
    isolate: z.enum(['none', 'worktree'], { error: 'none or worktree' }).optional(),
    isolateFrom: z.enum(['files', 'HEAD'], { error: 'files or HEAD' }).optional(),
    deps: z.array(said(DEPENDENCY).refine(isInside, { error: DEPENDENCY }), { error: DEPENDENCIES }).optional(),
    checkIn: z.enum(['proof', 'workspace'], { error: 'proof or workspace' }).optional(),
    protect: Globs.optional(),
    unprotect: Globs.optional(),
    provide: z.array(said(PROVIDED).refine(isInside, { error: PROVIDED }), { error: PROVIDED }).optional(),
    prepare: z.array(command, { error: 'a list of commands' }).optional(),
    homePaths: z.array(said(HOME_PATHS).refine(isInside, { error: HOME_PATHS }), { error: HOME_PATHS }).optional(),
    heldOut: said('a folder outside of the workspace').optional(),
    heldOutChecks: z.array(CheckOption, { error: 'a list of checks' }).optional(),
    heldOutTells: z.enum(['count', 'names', 'all'], { error: HELD_OUT }).optional(),
    allowGrounds: Globs.optional(),
    wait: TrueOrFalse.optional(),
    requireRed: TrueOrFalse.optional(),
    walls: z.enum(['required', 'try', 'off'], { error: "'required', 'try' or 'off'" }).optional(),
    control: z.enum(['on', 'off'], { error: "'on' or 'off'" }).optional(),
    legs: z.enum(['both', 'base'], { error: "'both' or 'base'" }).optional(),
    accept: z.enum(['verified', 'weak'], { error: "'verified' or 'weak'" }).optional(),
    sandbox: z.enum(['required', 'try', 'off'], { error: "'required', 'try' or 'off'" }).optional(),
    network: NetworkReach.optional(),
    sandboxWrite: z.array(said('a path'), { error: 'a list of paths' }).optional(),
    sandboxLimits: CommandLimits.optional(),
    captureLimit: size.optional(),
    webhooks: WebhooksOption.optional(),
    graceMs: milliseconds(0).optional(),
  },
  { error: 'the options of a run' },
);
export type RunOptions = z.input<typeof RunOptions>;
export type ParsedOptions = z.output<typeof RunOptions>;
