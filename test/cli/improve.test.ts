import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { improvable, WITH_SKIPPED } from './improving-project.ts';
import { loopfold } from './warm-process.ts';

/** The commands that are proposed, from the verb on. */
const nextIn = (stderr: string): string[] =>
  [...stderr.matchAll(/^next {2}.*? ((?:improve|show|events|diff|apply)\b.*)$/gm)].map(([, command = '']) => command);

test('I5 I15 where nothing is found, the ending says who has looked, and what else there is to look at', async () => {
  const { words, how } = await improvable();
  const { status, stderr } = await loopfold(['improve', ...words], how);
  expect(status).toBe(16);
  expect(stderr).toContain(
    'success, unverified: nothing to improve was found by failing-tests, type-errors, lint, skipped-tests, todos; ' +
      'more to look at: --items FILE, --ideas',
  );
  const [report = '', ...next] = nextIn(stderr);
  expect(report).toMatch(/^improve --report \w{8}$/);
  expect(next.map((command) => command.split(' ').slice(-2).join(' '))).toEqual([
    '--items FILE',
    "--test' --ideas",
    expect.stringMatching(/^show \w{8}$/),
  ]);
  // The command can be pasted: it is the one that was typed, with one more flag.
  expect(next[1]).toBe(`improve ${words[0]} ${words[1]} --verify 'node --test' --ideas`);
  const printed = await loopfold(report.split(' '), how);
  expect(printed.stdout).toContain('- ending: success, unverified');
  const data: unknown = JSON.parse((await loopfold([...report.split(' '), '--json'], how)).stdout);
  const name = 'success, unverified';
  expect(data).toMatchObject({ run: expect.any(String), ending: { name }, counts: { improvements: 0 } });
  const shown = await loopfold(['show', '--last'], how);
  expect(nextIn(shown.stderr)).toEqual([report, 'improve --items FILE', 'improve --ideas']);
});

testInTurn(
  'I6 a list of items that is named is tried, and of what is below the minimum the setting is named',
  async () => {
    const { words, how, beside, write, commit } = await improvable();
    await write({ 'src/product.js': '// TODO faster\nexport const product = (a, b) => a * b;\n' });
    await commit();
    const list = join(beside, 'todo.txt');
    await writeFile(list, '- [ ] sum takes one number, too\n');

    const night = await loopfold(['improve', ...words, '--items', list], how);
    expect(night.status).toBe(0);
    expect(night.stderr).toContain(
      '1 improvement kept; 1 finding is below the minimum of relevance, 0.5, the most relevant of them at 0.4: ' +
        '--min-relevance 0.4 tries it',
    );
    expect(nextIn(night.stderr).map((command) => command.split(' ')[0])).toEqual(['improve', 'show', 'diff', 'apply']);

    // The user's own minimum counts, with items, too.
    const strict = await loopfold(['improve', ...words, '--items', list, '--min-relevance', '0.6'], how);
    expect(strict.status).toBe(16);
    expect(strict.stderr).toContain(
      'success, unverified: nothing was found to improve: 2 findings are below the minimum of relevance, 0.6, the most ' +
        'relevant of them at 0.5: --min-relevance 0.5 tries them',
    );
    expect(nextIn(strict.stderr)[1]).toMatch(/ --min-relevance 0\.6 --min-relevance 0\.5$/);
    const { stdout: report } = await loopfold(['improve', '--report'], how);
    expect(report).toContain('refused 2 findings in iteration 1, the last that searched. ');
    expect(report).toContain('improve --min-relevance 0.5');

    const wrong = await loopfold(['improve', ...words, '--min-relevance', 'high'], how);
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("--min-relevance: expected a score from 0 to 1, found 'high'"),
    ]);
  },
);

testInTurn('I8 a watched night names its candidates by their titles, and whose checks it shows', async () => {
  const { words, how } = await improvable(WITH_SKIPPED);
  const { status, stderr } = await loopfold(['improve', ...words], how);
  expect(status).toBe(0);
  const told = stderr.split('\n').map((line) => line.trim());
  const title = 'Test is skipped: adds nothing';
  expect(told).toContain(`0.65  ${title}`);
  expect(stderr).toMatch(new RegExp(`experiment: "${title}" \\(skipped-tests-\\w+\\)`));
  expect(told).toContain(`"${title}" changes 1 file`);
  expect(told).toContain(`"${title}" passed, witnessed: red before, and passes now: ${title}`);
  expect(stderr).toMatch(new RegExp(`"${title}" kept: commit \\w{10} on loopfold/`));
  expect(told.filter((line) => line.startsWith('checks'))).toEqual([
    'checks, before any work',
    'checks, on the new head',
  ]);
  // The tier of grounds has let it take out the mark that skips the test.
  expect(stderr).not.toContain('tampering');
});

testInTurn('I7 a denial says how to give its reason, and the reason is kept', async () => {
  const { words, how } = await improvable(WITH_SKIPPED);
  const { status, stderr } = await loopfold(['improve', ...words, '--approval'], how);
  expect(status).toBe(14);
  const [, deny = ''] = /(deny \w{8} integration --reason) TEXT$/m.exec(stderr) ?? [];
  const denied = await loopfold([...deny.split(' '), 'it stays skipped'], how);
  expect(denied.status).toBe(0);
  expect((await loopfold(['resume', '--last'], how)).status).toBe(11);
  const { stdout: report } = await loopfold(['improve', '--report'], how);
  expect(report).toContain('| skipped-tests | a person | it stays skipped |');
});

test('I3 --experiments says how many run at once, up to what the options of the loop allow', async () => {
  const { words, how } = await improvable();
  const asked = (many: string) => loopfold(['improve', ...words, '--experiments', many, '--dry-run'], how);
  expect((await asked('2')).status).toBe(0);
  const [none, many] = [await asked('0'), await asked('17')];
  expect([none.status, none.stderr]).toEqual([
    2,
    expect.stringContaining("--experiments: expected a whole number, 1 or more, found '0'"),
  ]);
  expect([many.status, many.stderr]).toEqual([2, expect.stringContaining('phases.experiment.maxParallel')]);
});
