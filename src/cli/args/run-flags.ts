import { type Command, Option as Flag } from 'commander';
import type { Config } from '../../config/config.ts';
import type { OptionRow } from '../../options/option-row.ts';
import { groupOf, type Option, OPTION_ROWS, OPTIONS, flagOf } from '../../options/option-table.ts';
import type { ChangeOptions } from '../../config/change.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { fromText } from '../../config/text-form.ts';

const LIMITS = ['maxIterations', 'maxSteps', 'maxToolCalls', 'maxTokens', 'maxTime', 'maxCost'] as const;
/** Options that a continuation may change. */
const CHANGES = [...LIMITS, 'strategy', 'detectors'] as const;
/** Options that bound the length of a run. */
const BOUNDS = [...LIMITS, 'strategy', 'checks', 'tools'] as const;
/** Options that decide what checks rest on. */
const OF_GROUNDS = ['protect', 'unprotect', 'deps'] as const;
/** Options of every verb. */
const OF_PROGRAM = ['log', 'providers'] as const;
const FORMAT = 'outputFormat';
const SHOWN = ['quiet', 'verbose', 'deltas'] as const;

export type ChangeFlags = { readonly [option in (typeof CHANGES)[number]]?: string };

export type JudgeFlags = Omit<ChangeFlags, 'strategy'> & { readonly strategy?: readonly string[] };

/** The flags that set an option, by the names that commander uses. */
export type OptionFlags = { readonly [flag: string]: unknown };

export interface RunFlags {
  readonly promptFile?: string;
  /** The id of a run, or true: the last one of the folder. */
  readonly continue?: string | true;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** One option as a flag: given twice the later counts, except for lists that add up. */
function withOption(command: Command, option: Option): Command {
  const row = OPTION_ROWS[option];
  const { value, means, short } = row;
  const flags = `${short === undefined ? '' : `${short}, `}${flagOf(option)} ${value}`.trimEnd();
  const made = new Flag(flags, means);
  if (!OF_PROGRAM.some((one) => one === option)) made.helpGroup(`${groupOf(option)}:`);
  if (!repeats(row)) return command.addOption(made);
  return command.addOption(made.argParser((line: string, before: readonly string[] = []) => [...before, line]));
}

/** Each use adds one to a list. */
const repeats = ({ form, repeats }: OptionRow): boolean => repeats ?? form?.startsWith('lines') ?? false;

const withOptions = (command: Command, options: readonly Option[]): Command => options.reduce(withOption, command);

export const withProgramFlags = (command: Command): Command =>
  withOptions(command, OF_PROGRAM).option(
    '--trust',
    'use the configuration file of the project this time, without asking',
  );

export const withChanges = (command: Command): Command => withOptions(command, CHANGES);

/** Caps and labels. */
export const withLimitFlags = (command: Command): Command => withOptions(command, [...LIMITS, 'labels']);

export const withBounds = (command: Command): Command => withOptions(command, BOUNDS);

export const withGroundFlags = (command: Command): Command => withOptions(command, ['checks', ...OF_GROUNDS]);

/** Without the checks: a recorded run has its own. */
export const withProofFlags = (command: Command): Command => withOptions(command, OF_GROUNDS);

/** Options of the judge that is asked in place of the recorded one. Several strategies may be named. */
export const withOtherJudges = (command: Command): Command =>
  withOptions(
    command,
    CHANGES.filter((option) => option !== 'strategy'),
  ).option(
    `--strategy ${OPTION_ROWS.strategy.value}`,
    `${OPTION_ROWS.strategy.means}; again for another`,
    (strategy: string, before: readonly string[] = []) => [...before, strategy],
  );

/** What is printed, and how much of it. */
export const withFormat = (command: Command): Command => withOptions(command, [FORMAT, ...SHOWN]);

/** Every option of a run, without those of what is printed. */
export function withSettings(command: Command): Command {
  const elsewhere: readonly Option[] = [...OF_PROGRAM, FORMAT, ...SHOWN];
  const options = OPTIONS.filter((option) => !elsewhere.includes(option));
  return withOptions(command, options);
}

/** Every option of a run. */
export const withOptionFlags = (command: Command): Command => withFormat(withSettings(command));

export const withRunFlags = (command: Command): Command =>
  withOptionFlags(
    command
      .option('--prompt-file <file>', 'read the task from a file')
      .option(
        '--continue [run]',
        'go on with the conversation of a run that has ended: by its id, or the last one here',
      )
      .option('--dry-run', 'print the first request, its price, caps, checks and grounds; send and record nothing')
      .option('--json', 'with --dry-run: print JSON'),
  );

/** The flags as a configuration. The schema validates it. */
export function configOfFlags(flags: OptionFlags): {
  readonly values: Config;
  readonly faults: readonly ConfigFault[];
} {
  const faults: ConfigFault[] = [];
  const values = OPTIONS.flatMap((option) => {
    const given = flags[flagKey(option)];
    // A flag that says no is true where it is not given.
    if (given === undefined || (given === true && isNo(option))) return [];
    const form = typeof given === 'string' ? fromText(option, given) : ({ kind: 'value', value: given } as const);
    if (form.kind === 'value') return [[option, form.value]];
    faults.push(faultAt(option, given, form.expected));
    return [];
  });
  return { values: namedAgents(Object.fromEntries(values)), faults };
}

/** Several agents compete; one is the agent of the run. */
function namedAgents({ agent, ...values }: { readonly [option: string]: unknown }): Config {
  if (!Array.isArray(agent)) return agent === undefined ? values : { ...values, agent: agent as string };
  const [only, ...others] = agent as readonly string[];
  return others.length === 0
    ? { ...values, ...(only === undefined ? {} : { agent: only }) }
    : { ...values, agents: agent };
}

const isNo = (option: Option): boolean => flagOf(option).startsWith('--no-');

/** `--max-steps` is kept as `maxSteps`, `--verify` as `verify`, `--no-wait` as `wait`. */
const flagKey = (option: Option): string =>
  flagOf(option)
    .replace(/^--(no-)?/, '')
    .replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/** The options that the flags change for a continuation. */
export function changesOf(flags: ChangeFlags): {
  readonly changes: ChangeOptions;
  readonly faults: readonly ConfigFault[];
} {
  const given = Object.fromEntries(CHANGES.map((option) => [option, flags[option]]));
  const { values, faults } = configOfFlags(given);
  return { changes: values, faults };
}
