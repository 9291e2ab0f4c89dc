import { expect, test } from 'vitest';
import { answersWithOne } from '../../src/detectors/answer-commands.ts';
import { isWritingCommand } from '../../src/detectors/write-commands.ts';
import { partsOf, wordsOf } from '../../src/evidence/shell-syntax.ts';

test('D14 the commands that are substituted within a command are parts of it', () => {
  const programs = partsOf('cat "$(ls -a)" | tee <(sort b)').flatMap((part) =>
    part.type === 'Command' ? [wordsOf(part).slice(0, 1)] : [],
  );
  expect(programs.flat().toSorted()).toEqual(['cat', 'ls', 'sort', 'tee']);
});

test.each(['$(', '<(', 'env ', 'a | ', '{ '])('D14 a command of nothing but %j makes no detector fail', (piece) => {
  const command = piece.repeat(20_000);
  expect(isWritingCommand(command)).toBe(false);
  expect(answersWithOne(command)).toBe(false);
});
