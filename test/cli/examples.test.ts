import { expect, test } from 'vitest';
import { EXAMPLES } from '../../src/cli/args/examples.ts';
import { programOf } from '../../src/cli/program/program.ts';
import { standardStreams } from '../../src/cli/terminal/output.ts';

/** The verbs with their flags, none of which does anything. */
function idle() {
  const program = programOf(standardStreams(true), { flags: {}, status: 0 });
  const called: string[] = [];
  for (const command of program.commands) command.action(() => void called.push(command.name()));
  return { program, called };
}

test('every verb has an example, and no other word has', () => {
  const { program } = idle();
  const verbs = program.commands.map((command) => command.name()).filter((name) => name !== 'help');
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(verbs.toSorted());
});

test.each(Object.entries(EXAMPLES).flatMap(([verb, examples]) => examples.map((words) => [verb, words] as const)))(
  'the example of %s is one that it takes: %j',
  async (verb, words) => {
    const { program, called } = idle();
    await program.parseAsync([...words], { from: 'user' });
    expect(called).toEqual([verb]);
  },
);

test('the help of a verb ends with its examples', () => {
  const { program } = idle();
  const [abort] = program.commands.filter((command) => command.name() === 'abort');
  let printed = '';
  abort?.configureOutput({ writeOut: (text) => (printed += text) }).outputHelp();
  expect(printed).toMatch(/\nExample:\n {2}loopfold abort --last --reason 'The task has changed\.'\n$/);
});
