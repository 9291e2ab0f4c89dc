import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT, SIGNAL_EXIT } from '../../src/cli/terminal/exit-status.ts';
import { examplesIn } from '../docs/examples.ts';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold, MODEL, project } from './program.ts';

const FILE = 'docs/guides/running.md';
const page = await readFile(join(import.meta.dirname, '../..', FILE), 'utf8');

test('what the guide shows of stream-json is what a program reads, line by line', async () => {
  const example = examplesIn(FILE, page).find(({ language }) => language === 'json');
  const expected = (example?.code ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(expected.length).toBeGreaterThan(5);
  const cwd = await project(
    { answers: [{ text: 'It is done.', usage: { inputTokens: 120, outputTokens: 4 } }] },
    {},
    false,
  );
  const { stdout } = await loopfold(['run', '--output-format', 'stream-json', ...MODEL, 'Say that it is done.'], {
    cwd,
  });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => ({ ...JSON.parse(line), run: '01…' }));
  expect(lines).toMatchObject(expected);
});

testInTurn('every exit status is in the guide, and so is every member of a result', async () => {
  const rows = page.split('\n').filter((line) => line.startsWith('|'));
  const statuses = rows.flatMap((row) => row.split('|')[1]?.match(/\d+/g) ?? []).map(Number);
  expect(statuses.toSorted((one, other) => one - other)).toEqual(
    [...Object.values(EXIT), ...Object.values(SIGNAL_EXIT)].toSorted((one, other) => one - other),
  );
  const cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
  const { stdout } = await loopfold(['run', 'x', ...MODEL, '--output-format', 'json'], { cwd });
  const members = Object.keys(JSON.parse(stdout)).filter((name) => name !== 'type');
  const told = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)\w+(?=`)/g) ?? []);
  expect(told.toSorted()).toEqual(members.toSorted());
});
