import { type Code, codeOf } from './code-groups.ts';
import type { CodeSyntax } from './code-syntax.ts';
import type { OwnTest } from './own-tests.ts';
import { MAX_FILE_CHARACTERS, pairsOf } from './pairs.ts';
import type { WriteMark, WrittenTests } from './write-tests.ts';

/** The parts of a control that differ by language. */
interface Language {
  readonly syntax: CodeSyntax;
  readonly testsOf: (code: Code) => readonly OwnTest[];
}

/** Adds pairs of a file's own tests to those that must fail. */
export function withOwnPairs(
  text: string,
  { preamble, failing }: Pick<WrittenTests, 'preamble' | 'failing'>,
  mark: Omit<WriteMark, 'isBare'>,
  { syntax, testsOf }: Language,
): WrittenTests {
  const isKnown = failing.length > 1;
  const code = text.length > MAX_FILE_CHARACTERS ? null : codeOf(text, syntax);
  const copies = code ? pairsOf(code, testsOf(code), { ...mark, isBare: !isKnown, first: failing.length }) : [];
  const tests = [...failing, ...copies.flatMap(({ texts }) => texts)];
  return { preamble, failing, copies, tests, isBare: !isKnown && copies.length === 0 };
}
