import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { flagOf } from '../config/names.ts';
import type { RunOptions } from '../config/options.ts';
import type { OutputFormat } from './conclude.ts';
import { FORMATS } from './conclude.ts';

/** Each cap and what it counts. The flag's name is the option's. */
const CAPS = [
  ['maxIterations', '<n>', "attempts, or 'none'"],
  ['maxSteps', '<n>', "model answers in one attempt, or 'none'"],
  ['maxToolCalls', '<n>', "tool calls in one attempt, or 'none'"],
  ['maxTokens', '<n>', "tokens in the whole run, or 'none'"],
  ['maxTime', '<time>', "wall time of the whole run: 90s, 30m, 2h, or 'none'"],
] as const;

export type CapFlags = { readonly [cap in (typeof CAPS)[number][0]]?: string };

export interface FormatFlag {
  readonly outputFormat: OutputFormat;
}

export interface RunFlags extends CapFlags, FormatFlag {
  readonly promptFile?: string;
  readonly loop?: string;
  readonly model?: string;
  readonly strategy?: string;
  readonly verify?: readonly string[];
}

const format = () =>
  new Option('--output-format <format>', 'what stdout carries; the last line of both JSON forms is a result object')
    .choices(FORMATS)
    .default('text');

/** The caps alone, for a run that goes on under others. */
export function withCaps(command: Command): Command {
  for (const [cap, value, meaning] of CAPS) command.option(`${flagOf(cap)} ${value}`, meaning);
  return command;
}

export const withFormat = (command: Command): Command => command.addOption(format());

export function withRunFlags(command: Command): Command {
  command
    .option('--prompt-file <file>', 'read the task from a file')
    .option(`-m, ${flagOf('model')} <model>`, 'script:FILE, a scripted model')
    .option(`${flagOf('loop')} <loop>`, "'turn' or 'iteration' (the default with --verify or --strategy)")
    .option(`${flagOf('strategy')} <name>`, "when to go on: 'fixed'")
    .option(
      `${flagOf('checks')} <command>`,
      'a command that must exit with 0; repeatable; L1:npm test names a level',
      (line: string, before: readonly string[] = []) => [...before, line],
    );
  return withFormat(withCaps(command));
}

/** The options of a run. What is wrong with them is for their schema to say. */
export function runOptions(prompt: string, directory: string, flags: RunFlags): RunOptions {
  const { model, loop, strategy, verify } = flags;
  return {
    prompt,
    directory,
    ...capsOf(flags),
    model: absoluteModel(model ?? ''),
    ...(loop === undefined ? {} : { loop: loop as RunOptions['loop'] }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(verify === undefined ? {} : { checks: [...verify] }),
  };
}

export function capsOf(flags: CapFlags): CapOptions {
  return Object.fromEntries(CAPS.flatMap(([cap]) => (flags[cap] === undefined ? [] : [[cap, flags[cap]]])));
}

export type CapOptions = Pick<RunOptions, (typeof CAPS)[number][0]>;

const SCRIPT = 'script:';

/** A script is named from where the person stands, and found again from wherever the run is resumed. */
const absoluteModel = (model: string): string =>
  model.startsWith(SCRIPT) && model.length > SCRIPT.length ? `${SCRIPT}${resolve(model.slice(SCRIPT.length))}` : model;
