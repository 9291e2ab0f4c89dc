import type { Family, Said } from '../telling.ts';
import { times } from '../telling.ts';
import { paths, symbol } from '../things.ts';
import { healthy, reads, source, step } from './transcript.ts';

/** Lists and pages that are written anew, and work that goes on. */
export const healthyWriting: readonly Family[] = [
  healthy({
    story: 'works in its words alone, and ticks off its list after each part',
    count: 3,
    traits: { todo_write: { writes: true, replaces: true } },
    goes: (random) => {
      const items = times(
        random.from(9, 16),
        (at) => `part ${at + 1} of the ${random.one(['report', 'letter', 'plan'])}`,
      );
      return [...items, ''].map((_, done) =>
        step(random, {
          tool: 'todo_write',
          arguments: { todos: items.map((item, at) => `[${at < done ? 'x' : ' '}] ${item}`).join('\n') },
          output: 'Todos have been modified successfully.',
        }),
      );
    },
  }),
  healthy({
    story: 'plans anew, in other words, after each thing that it finds out',
    count: 3,
    traits: { todo_write: { writes: true, replaces: true } },
    goes: (random) =>
      paths(random, random.from(8, 14)).flatMap((file, index): Said[] => [
        step(random, {
          tool: 'todo_write',
          arguments: { todos: `[ ] look at ${file}\n[ ] mend ${symbol(random)}, the ${index + 1}. guess` },
          output: 'Todos have been modified successfully.',
        }),
        step(random, reads(file, source(random, file))),
      ]),
  }),
  healthy({
    story: 'writes a page in several versions before it looks at it',
    count: 3,
    goes: (random) =>
      paths(random, random.from(3, 5)).flatMap((file): Said[] => [
        ...times(random.from(2, 5), (version) =>
          step(random, {
            tool: 'write',
            arguments: { path: file, content: `version ${version} of ${file}` },
            output: `${file}: ${random.from(200, 900)} bytes written`,
          }),
        ),
        step(random, reads(file, source(random, file))),
      ]),
  }),
];
