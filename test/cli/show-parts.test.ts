import { describe, expect, test } from 'vitest';
import { editLines } from '../../src/loops/turn/edit-lines.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn, Terminal } from './program.ts';
import { loopfold } from './warm-process.ts';

const LONG = `I look first. ${'word '.repeat(40)}end.\nThen I edit.`;
const EDIT = { path: 'a.txt', oldText: 'one\ntwo\nthree', newText: 'one\n2\nthree' };
const SCRIPT = {
  answers: [
    {
      text: LONG,
      calls: [
        { tool: 'edit', arguments: EDIT },
        { tool: 'shell', arguments: { command: 'echo from the shell' } },
      ],
    },
    { text: 'It is done.' },
  ],
};
const FILES = { 'a.txt': 'one\ntwo\nthree\n' };
const WORDS = ['run', 'x', ...MODEL, '--loop', 'turn'] as const;

const textOf = (call: Parameters<typeof editLines>[0]): readonly string[] =>
  editLines(call).map(({ rest }) =>
    (rest ?? [])
      .map((piece) => (typeof piece === 'string' ? piece : piece.text))
      .join('')
      .trim(),
  );

describe('G10 an edit as a diff', () => {
  test('has the lines that differ, and says how many more there are', () => {
    expect(textOf({ tool: 'edit', arguments: EDIT })).toEqual(['- two', '+ 2']);
    expect(
      textOf({ tool: 'multi_edit', arguments: { path: 'a', edits: [EDIT, { oldText: 'x', newText: '' }] } }),
    ).toEqual(['- two', '+ 2', '- x']);
    const content = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
    const written = textOf({ tool: 'write', arguments: { path: 'a', content } });
    expect(written).toHaveLength(13);
    expect(written.slice(-2)).toEqual(['+ line 11', '… 8 more lines']);
  });

  test('G10 a call that is no edit, or has unfit arguments, is shown without a diff', () => {
    expect(textOf({ tool: 'shell', arguments: { content: 'x' } })).toEqual([]);
    expect(textOf({ tool: 'edit', arguments: ['x'] })).toEqual([]);
    expect(textOf({ tool: 'multi_edit', arguments: { edits: 'x' } })).toEqual([]);
  });
});

describe.concurrent('G10 the reader sees the work', () => {
  test('piped: messages are whole, edits are diffs, and what calls say stays out', async () => {
    const cwd = await project(SCRIPT, FILES);
    const { stderr } = await loopfold(WORDS, { cwd });
    expect(stderr).toMatch(/^step 1 {2}I look first\. (?:word ){40}end\.\n {4}Then I edit\.$/m);
    expect(stderr).toMatch(/^ {2}› edit a\.txt\n {6}- two\n {6}\+ 2$/m);
    expect(stderr).not.toMatch(/^ +from the shell$/m);
  });

  testInTurn('on a terminal: a message is one line, with --verbose all of it, and what calls say', async () => {
    const cwd = await project(SCRIPT, FILES);
    const brief = (await new Terminal([...WORDS], { cwd }).ended).stdout;
    expect(brief).not.toContain('Then I edit.');
    expect(brief).toContain('+ 2');
    const cwdAgain = await project(SCRIPT, FILES);
    const verbose = (await new Terminal([...WORDS, '--verbose'], { cwd: cwdAgain }).ended).stdout;
    expect(verbose).toContain('    Then I edit.');
    expect(verbose).toMatch(/ {6}.*from the shell/);
  });

  testInTurn('G10 --quiet prints the answer, and questions, alone', async () => {
    const cwd = await project(SCRIPT, FILES);
    const { stdout, stderr } = await loopfold([...WORDS, '--quiet'], { cwd });
    expect({ stdout, stderr }).toEqual({ stdout: 'It is done.\n', stderr: '' });
    const open = await project({
      answers: [{ text: '', calls: [{ tool: 'ask_user', arguments: { question: 'Which?' } }] }],
    });
    expect((await loopfold([...WORDS, '--quiet'], { cwd: open })).stderr).toContain('? Which?');
  });

  testInTurn('--deltas: stream-json has what is said as it is said, and without it facts alone', async () => {
    const cwd = await project(SCRIPT, FILES);
    const words = [...WORDS, '--output-format', 'stream-json'];
    const ended = await loopfold([...words, '--deltas'], { cwd });
    const lines = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const deltas = lines.filter(({ type }) => type === 'delta');
    expect(
      deltas
        .filter(({ kind }) => kind === 'text')
        .map(({ text }) => text)
        .join(''),
    ).toContain('I look first.');
    expect(deltas[0]).toMatchObject({ run: resultIn(ended).run });
    expect((await loopfold(words, { cwd: await project(SCRIPT, FILES) })).stdout).not.toContain('"type":"delta"');
  });
});
