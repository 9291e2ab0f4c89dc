import type { Random } from '../random.ts';
import type { Called, Family, Said } from '../telling.ts';
import { times } from '../telling.ts';
import { path, paths, symbol } from '../things.ts';
import { edits, exits, healthy, missing, nothingFound, reads, runs, searches, source, step } from './transcript.ts';

const failsWith = (random: Random, failed: number): Called =>
  failed === 0
    ? runs('npm test', `Tests: ${random.from(60, 90)} passed`)
    : exits(
        'npm test',
        `FAIL ${symbol(random)} > case ${random.from(1, 40)}\nTests: ${failed} failed, ${60 - failed} passed`,
        1,
      );

const SETTINGS = ['settings', 'app', 'env'];
const settingsFile = (random: Random): string =>
  `${random.one(['config', 'src', '.'])}/${random.one(SETTINGS)}.${random.one(['yaml', 'json', 'toml'])}`;

/** Work that repeats itself by its nature and comes to an end. */
export const healthyWork: readonly Family[] = [
  healthy({
    story: 'edits and tests again until all pass, and fewer fail each time',
    count: 3,
    goes: (random) =>
      times(random.from(7, 12), (index) => index)
        .toReversed()
        .flatMap((failed): Said[] => {
          const file = path(random);
          return [
            step(random, edits(file, `return ${failed};`, `return ${symbol(random)}(${failed});`)),
            step(random, failsWith(random, failed)),
          ];
        }),
  }),
  healthy({
    story: 'renames a symbol in many files, and each edit is answered alike',
    count: 3,
    goes: (random) => {
      const [from, to] = [symbol(random), `${symbol(random)}2`];
      const files = paths(random, random.from(14, 22));
      return [
        step(random, searches(from, files.map((file) => `${file}:${random.from(1, 99)}: ${from}(`).join('\n'))),
        ...files.map((file) => step(random, { ...edits(file, from, to), output: 'ok' })),
        step(random, runs('npm test', 'Tests: 61 passed')),
      ];
    },
  }),
  healthy({
    story: 'moves many files with git, which prints nothing',
    count: 2,
    goes: (random) => [
      ...paths(random, random.from(17, 24)).map((file) =>
        step(random, runs(`git mv ${file} ${file.replace(/^[\w/]+\//, 'src/domain/')}`)),
      ),
      step(random, runs('npm run build', 'built in 812 ms')),
    ],
  }),
  healthy({
    story: 'replaces with sed in file after file',
    count: 2,
    goes: (random) => [
      ...paths(random, random.from(17, 21)).map((file) =>
        step(random, runs(`sed -i 's/oldFlag/true/g' ${file} && echo ok`, 'ok')),
      ),
      step(random, exits('grep -rn oldFlag src', '', 1)),
      step(random, runs('npm test', 'Tests: 60 passed')),
    ],
  }),
  healthy({
    story: 'writes a test that fails, makes it pass, and goes on to the next',
    count: 3,
    goes: (random) =>
      times(random.from(5, 8), (index): Said[] => {
        const file = path(random);
        return [
          step(random, {
            tool: 'write',
            arguments: { path: `test/case-${index}.test.ts`, text: `test('${symbol(random)} ${index}', () => {});` },
            output: `test/case-${index}.test.ts: written`,
          }),
          step(random, exits('npm test', `FAIL test/case-${index}.test.ts\nTests: 1 failed, ${40 + index} passed`, 1)),
          step(random, edits(file, `case ${index}: throw`, `case ${index}: return`)),
          step(random, runs('npm test', `Tests: ${41 + index} passed`)),
        ];
      }).flat(),
  }),
  healthy({
    story: 'mends what the linter says, file by file',
    count: 2,
    goes: (random) => {
      const files = paths(random, random.from(6, 10));
      return files.flatMap((file, index) => {
        const left = files.length - index;
        return [
          step(
            random,
            exits(
              'npx eslint src',
              `${file}\n  ${random.from(3, 90)}:1  error  'x' is never used\n✖ ${left} problems`,
              1,
            ),
          ),
          step(random, edits(file, 'const x = 1;\n', '')),
        ];
      });
    },
  }),
  healthy({
    story: 'keeps a list of tasks and does one after the other',
    count: 2,
    traits: { todo_write: { writes: true, replaces: true } },
    goes: (random) => {
      const items = [
        'read the parser',
        'add a test',
        'mend the parser',
        'update the docs',
        'run all tests',
        'write the changelog',
      ];
      return items.flatMap((_, done): Said[] => {
        const file = path(random);
        return [
          step(random, {
            tool: 'todo_write',
            arguments: { todos: items.map((item, at) => `[${at < done ? 'x' : ' '}] ${item}`).join('\n') },
            output: 'Todos have been modified successfully.',
          }),
          step(random, reads(file, source(random, file))),
          ...(random.next() < 0.5 ? [step(random, edits(file, 'input', `input${done}`))] : []),
          ...(random.next() < 0.3 ? [step(random, failsWith(random, random.from(0, 2)))] : []),
        ];
      });
    },
  }),
  healthy({
    story: 'mends the indentation of a Python file, and the parser gets further each time',
    count: 2,
    goes: (random) =>
      times(random.from(4, 7), (index): Said[] => [
        step(random, edits('tools/report.py', `  x${index} = 1`, `    x${index} = 1`)),
        step(
          random,
          exits(
            'python -m pytest -q',
            `E   IndentationError: unexpected indent (report.py, line ${20 + index * random.from(7, 9)})`,
            2,
          ),
        ),
      ])
        .flat()
        .concat([
          step(random, edits('tools/report.py', '  return x', '    return x')),
          step(random, runs('python -m pytest -q', '14 passed')),
        ]),
  }),
  healthy({
    story: 'pages through a long file',
    count: 2,
    goes: (random) => {
      const file = 'docs/specification.md';
      return times(random.from(9, 16), (index) =>
        step(random, {
          tool: 'read',
          arguments: { path: file, startLine: index * 200 + 1, endLine: (index + 1) * 200 },
          output: times(4, () => `## ${random.from(1, 9)}.${random.from(1, 99)} ${symbol(random)}`).join('\n'),
        }),
      );
    },
  }),
  healthy({
    story: 'pages through a log with sed',
    count: 2,
    goes: (random) =>
      times(random.from(8, 14), (index) =>
        step(
          random,
          runs(
            `sed -n '${index * 100 + 1},${(index + 1) * 100}p' app.log`,
            times(3, () => `req ${random.from(1_000, 9_999)} took long on ${symbol(random)}`).join('\n'),
          ),
        ),
      ),
  }),
  healthy({
    story: 'searches for uses of a name, often in vain, and finds some in between',
    count: 3,
    goes: (random) =>
      times(random.from(10, 18), (index): Said => {
        const word = `${symbol(random)}${random.one(['', 'Old', 'V1'])}`;
        const found = `${path(random)}:${random.from(1, 200)}: ${word}(input)`;
        if (index % random.from(3, 6) === 2)
          return step(random, random.one([runs(`grep -rn "${word}" src`, found), searches(word, found)]));
        return step(
          random,
          random.one([exits(`grep -rn "${word}" src`, '', 1), exits(`rg ${word} test`, '', 1), nothingFound(word)]),
        );
      }),
  }),
  healthy({
    story: 'looks for the settings under several names and finds them',
    count: 3,
    goes: (random) => [
      ...times(random.from(3, 5), () => step(random, missing(settingsFile(random)))),
      step(random, runs("find . -name '*.config.*' -not -path './node_modules/*'", './ops/app.config.ts')),
      step(random, reads('ops/app.config.ts', source(random, 'ops/app.config.ts'))),
      ...times(random.from(2, 4), () =>
        step(
          random,
          exits(
            `node -e "require('./ops/${symbol(random)}')"`,
            `Error: Cannot find module './ops/${symbol(random)}'`,
            1,
          ),
        ),
      ),
      step(random, edits('ops/app.config.ts', 'timeout: 10', 'timeout: 30')),
      step(random, runs('npm test', 'Tests: 60 passed')),
    ],
  }),
  healthy({
    story: 'reads its way through the code base',
    count: 3,
    goes: (random) =>
      paths(random, random.from(18, 34)).map((file) => {
        const other = path(random);
        return random.next() < 0.2
          ? step(random, reads(file, source(random, file)), reads(other, source(random, other)))
          : step(random, reads(file, source(random, file)));
      }),
  }),
  healthy({
    story: 'checks the syntax of each generated file, and all are in order',
    count: 2,
    goes: (random) =>
      paths(random, random.from(8, 14)).map((file) => step(random, runs(`node --check ${file.replace(/ts$/, 'mjs')}`))),
  }),
  healthy({
    story: 'asks for each address of the site map whether it is there',
    count: 2,
    goes: (random) => [
      ...times(random.from(8, 13), () =>
        step(
          random,
          runs(
            `curl -s -o /dev/null -w '%{http_code}' https://shop.example/${symbol(random)}/${random.from(1, 99)}`,
            random.next() < 0.8 ? '200' : random.one(['301', '404']),
          ),
        ),
      ),
    ],
  }),
  healthy({
    story: 'asks a person before each change, who agrees',
    count: 2,
    goes: (random) =>
      times(random.from(6, 9), (index): Said[] => {
        const file = path(random);
        return [
          step(random, { tool: 'confirm', arguments: { question: `May I change ${file} (${index})?` }, output: 'yes' }),
          step(random, edits(file, 'legacy', `current${index}`)),
        ];
      }).flat(),
  }),
  healthy({
    story: 'compares two outputs after each step, which differ until the last',
    count: 2,
    goes: (random) =>
      times(random.from(5, 8), (index): Said[] => {
        const file = path(random);
        return [
          step(random, edits(file, `width: ${index}`, `width: ${index + 1}`)),
          step(random, runs('node render.js > out.svg')),
          step(
            random,
            exits(
              'diff out.svg expected.svg',
              `${random.from(2, 90)}c${random.from(2, 90)}\n< <rect width="${index}"/>`,
              1,
            ),
          ),
        ];
      })
        .flat()
        .concat([step(random, runs('node render.js > out.svg && diff out.svg expected.svg'))]),
  }),
];
