import { expect, test } from 'vitest';
import { Config } from '../../src/config/config.ts';
import { folder, loopfold } from '../cli/program.ts';
import { run } from '../repository/tool.ts';
import { testInTurn } from '../support/in-turn.ts';
import { type Example, examplesIn, pages } from './examples.ts';

const FILE = 'docs/guides/ten-minutes.md';
const text = pages().get(FILE) ?? '';
const examples = examplesIn(FILE, text);

/** The files of the page, by the name in the line above each. */
const files = Object.fromEntries(
  [...text.matchAll(/^`([\w./]+)`[^\n]*:\n\n```\w+\n([^]*?)^```$/gm)].map(([, name = '', code = '']) => [name, code]),
);

/** Steps of the page that show what is printed. */
const steps = examples.filter(({ language, prints }) => language === 'sh' && prints !== null);

/** Words of a line as the page quotes them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '').slice(1);

/** Lines that a page shows and that are not printed. `…` stands for anything. */
function missingOf({ prints }: Example, printed: string): string[] {
  const lines = new Set(printed.split('\n'));
  return (prints ?? '')
    .trimEnd()
    .split('\n')
    .filter((line) => {
      const [start = '', ...rest] = line.split('…');
      const end = rest.at(-1) ?? '';
      return ![...lines].some((one) => (rest.length === 0 ? one === line : one.startsWith(start) && one.endsWith(end)));
    });
}

testInTurn('the commands of the first ten minutes print what their page shows', async () => {
  const cwd = await folder(files);
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
  ])
    run('git', args, cwd);
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  run('git', [...person, 'commit', '--quiet', '--message', 'Begin'], cwd);

  expect(steps.length).toBeGreaterThan(4);
  for (const step of steps) {
    let printed = '';
    for (const line of step.code.trimEnd().split('\n')) {
      const { status, stdout, stderr } = await loopfold(wordsOf(line), { cwd });
      expect({ line, status }).toEqual({ line, status: 0 });
      printed += `${stdout}\n${stderr}\n`;
    }
    expect(missingOf(step, printed)).toEqual([]);
  }
});

test('the configuration that the page of the first ten minutes shows is one', () => {
  const shown = examples.filter(({ code }) => code.includes('"checks"')).map(({ code }): unknown => JSON.parse(code));
  expect(shown).toHaveLength(1);
  expect(Config.safeParse(shown[0]).error).toBeUndefined();
});

test('a line that was not printed is missed on the page', () => {
  const step = { file: FILE, line: 1, language: 'sh', code: '', prints: 'took …s\nchecks\n' };
  expect(missingOf(step, 'took 3 s\nchecks\n')).toEqual([]);
  expect(missingOf(step, 'took 3 min\ncheck\n')).toEqual(['took …s', 'checks']);
});
