import { type Command, Help, type Option } from 'commander';
import { optionsThat, flagOf } from '../../options/option-table.ts';
import { EXAMPLES, exampleText } from '../args/examples.ts';

/** The word behind `--help` that asks for every flag. */
const ALL = 'all';
const EXAMPLES_AT_FIRST = 3;

/** Tells whether every flag is asked for: `--help all`, or `help VERB all`. */
const asksForAll = (words: readonly string[]): boolean =>
  words.some(
    (word, index) => word === ALL && (['--help', '-h'].includes(words[index - 1] ?? '') || words[0] === 'help'),
  );

/**
 * Gives a verb with many flags a help of two layers: the common flags and three examples, and by `--help all` every
 * flag, by group. `own`: common flags that are no option of a configuration. `words`: as they were typed.
 */
export function layeredHelp(command: Command, own: readonly string[], words: readonly string[]): Command {
  const plain = new Help();
  const verb = command.name();
  if (asksForAll(words)) return command.addHelpText('after', exampleText(verb));
  const shown = new Set<string | undefined>([...own, ...optionsThat(({ isCommon }) => isCommon === true).map(flagOf)]);
  const isShown = ({ long }: Option) => shown.has(long ?? undefined) || long === '--help';
  const more = `All flags, by group: loopfold ${verb} --help ${ALL}`;
  return command
    .configureHelp({
      showGlobalOptions: false,
      visibleOptions: (one) => plain.visibleOptions(one).filter(isShown),
      groupItems: (_all, visible) => new Map(visible.length === 0 ? [] : [['Options:', visible]]),
    })
    .addHelpText('after', `${exampleText(verb, EXAMPLES[verb]?.slice(0, EXAMPLES_AT_FIRST))}\n\n${more}`);
}
