import type { Command } from 'commander';
import { usage } from '../pages/complaint.ts';
import type { RunReference } from '../args/find-run.ts';
import type { OptionFlags } from '../args/run-flags.ts';
import type { Session } from '../session.ts';
import type { Streams } from '../terminal/output.ts';

/** What a group of verbs is defined with. */
export interface VerbParts {
  readonly streams: Streams;
  readonly session: (command: Command, apart?: OptionFlags) => Promise<Session>;
  /** Takes the exit status of the verb that was called. */
  readonly ends: (status: Promise<number>) => Promise<void>;
  readonly verb: (name: string, description: string) => Command;
}

/** A verb's module is loaded when the verb is called, so that the help does not wait for it. */
export const later =
  <Words extends unknown[]>(load: () => Promise<(...words: Words) => Promise<number>>) =>
  async (...words: { [Place in keyof Words]: Words[Place] | Promise<Words[Place]> }): Promise<number> => {
    const given = (await Promise.all(words)) as Words;
    return (await load())(...given);
  };

export const RUN = 'its id, or 4 or more characters that it begins or ends with';
export const JSON_FLAG = ['--json', 'print JSON'] as const;

export type LastFlag = { readonly last?: boolean };
export type Flags = { readonly json?: boolean } & LastFlag;

export const aboutRun = (command: Command): Command =>
  command.argument('[run]', RUN).option('--last', 'the newest run');

export const reference = (run: string | undefined, { last = false }: LastFlag): RunReference => ({ run, last });

/** The same for a verb that takes a run which is not named only where no other one can be meant. */
export const orOnly = (
  run: string | undefined,
  flags: LastFlag,
  meant: NonNullable<RunReference['meant']>,
): RunReference => ({
  ...reference(run, flags),
  meant,
});

/** The run and the text after it. A single argument is the text. */
export function withText(
  first: string | undefined,
  second: string | undefined,
  flags: LastFlag,
): [RunReference, string | undefined] {
  const [run, text] = second === undefined ? [undefined, first] : [first, second];
  return [orOnly(run, flags, 'open'), text];
}

/** The run and the argument after it. With `--last` no run is named, and the first argument is that one. */
export function withRest(
  first: string | undefined,
  second: string | undefined,
  flags: LastFlag,
): [RunReference, string | undefined] {
  if (!flags.last) return [named(first, flags), second];
  return second === undefined ? [named(undefined, flags), first] : [named(first, flags), second];
}

export function needed(field: string, value: string | undefined, verb: string): string {
  if (value === undefined) throw usage(field, 'words, or - to read them from stdin', 'nothing', [verb, '--help']);
  return value;
}

/** A verb that changes things does not guess. */
export function named(run: string | undefined, flags: LastFlag): RunReference {
  if (run === undefined && !flags.last) throw usage('RUN', 'the id of a run, or --last', 'nothing', ['runs']);
  return reference(run, flags);
}
