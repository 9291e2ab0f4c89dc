import { withoutLaunchers } from '../evidence/reading-commands.ts';
import { partsOf, wordsOf } from '../evidence/shell-syntax.ts';
import { starPattern } from '../text/star-pattern.ts';
import { commandOf, says, type TraitsOf } from './traits.ts';

/**
 * The same traits, where commands that fit one of the patterns poll too. A pattern is a command as it is typed, in
 * which `*` stands for any text: it fits the whole line, or one program of it with its arguments.
 *
 * @example
 * const traits = withPolling(traitsHere, ['gh run *']);
 * // sleep 30 && gh run view 71 --json status: polls
 */
export function withPolling(traits: TraitsOf, patterns: readonly string[] = []): TraitsOf {
  if (patterns.length === 0) return traits;
  const fitting = patterns.map((pattern) => starPattern(pattern.trim()));
  return (tool) => {
    const own = traits(tool);
    if (!own.command) return own;
    const polling: typeof own.polling = (given) => {
      const call = { arguments: given };
      const command = commandOf(own, call);
      return says(own.polling, call) || (command !== null && fits(command, fitting));
    };
    return { ...own, polling };
  };
}

const fits = (command: string, patterns: readonly RegExp[]): boolean =>
  [command.trim(), ...programsIn(command)].some((text) => patterns.some((pattern) => pattern.test(text)));

/** Each program of a command with its arguments. */
const programsIn = (command: string): readonly string[] =>
  partsOf(command).flatMap((part) => (part.type === 'Command' ? [withoutLaunchers(wordsOf(part)).join(' ')] : []));
