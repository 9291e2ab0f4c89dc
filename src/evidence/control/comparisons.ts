import { takesCondition } from './assertion-names.ts';
import { beginsStatement, statementChain } from './call-chain.ts';
import { beginsLine, type Code, dividedBy, heldBy, type Span, textAt, topOf } from './code-groups.ts';
import type { Expectation } from './equality-calls.ts';
import { argumentsOf, partOf } from './call-arguments.ts';

const SAME = ['==', '===', 'is'];
const OTHER = ['!=', '!=='];
const OR = ['||', 'or'];
const AND = ['&&', 'and'];
const TURNING = ['!', 'not', '?', 'if', 'in', '<', '>', '+', '-', '*', '%'];
/** Words of what a test does where it fails. */
const FAILING = /^(?:throw|raise|panic|process|fail\w*|error|errorf|fatal|fatalf)$/i;

/** The value that a statement compares with: one that asserts it, or that fails where it differs. Null: it does not. */
export function comparisonAt(code: Code, at: number): Expectation | null {
  if (!beginsStatement(code, at)) return null;
  const word = textAt(code, at);
  if (word === 'if') return ifDiffers(code, at);
  if (word === 'assert' && code.syntax.endsWithLine) {
    const condition = dividedBy(code, { from: at + 1, to: lineEnd(code, at) }, [',']).at(0);
    return condition ? among(code, condition, AND, OR, SAME) : null;
  }
  const chain = statementChain(code, at);
  const [call] = chain?.calls ?? [];
  if (!chain || !call || !takesCondition(chain.names.slice(0, call.named))) return null;
  const [condition] = argumentsOf(code, call.open);
  return condition ? among(code, condition, AND, OR, SAME) : null;
}

/** A condition is false where one of its parts is, and true where one of them is, by the marks between them. */
function among(
  code: Code,
  condition: Span,
  between: readonly string[],
  never: readonly string[],
  marks: readonly string[],
): Expectation | null {
  if (topOf(code, condition).some((at) => [...never, 'lambda', '=>'].includes(textAt(code, at)))) return null;
  for (const part of dividedBy(code, condition, between)) {
    const found = comparedWith(code, part, marks);
    if (found) return found;
  }
  return null;
}

function comparedWith(code: Code, part: Span, marks: readonly string[]): Expectation | null {
  const top = topOf(code, part);
  const places = top.filter((at) => marks.includes(textAt(code, at)));
  const [mark] = places;
  if (mark === undefined || places.length > 1) return null;
  const isTurned = top.some((at) => code.tokens[at]?.kind !== 'string' && isTurning(code, at, mark));
  if (isTurned) return null;
  const sides = [partOf(code, { from: mark + 1, to: part.to }), partOf(code, { from: part.from, to: mark })];
  const value = sides.find((side) => side.is === 'value');
  if (value?.is !== 'value' || !sides.some((side) => side.is === 'computed')) return null;
  return { form: textAt(code, mark), at: value.at, isNamed: true };
}

/** A minus before the value is a part of it. */
const isTurning = (code: Code, at: number, mark: number): boolean =>
  TURNING.includes(textAt(code, at)) && !(textAt(code, at) === '-' && at === mark + 1);

function ifDiffers(code: Code, at: number): Expectation | null {
  const opens = textAt(code, at + 1) === '(' && !code.syntax.isTyped;
  const block = conditionEnd(code, at);
  const condition = opens ? heldBy(code, at + 1) : { from: at + 1, to: block };
  if (!condition) return null;
  const body = opens ? condition.to + 1 : block;
  const end = textAt(code, body) === '{' ? code.partners.get(body) : lineEnd(code, body + 1);
  const fails = code.tokens.slice(body, end ?? body).some(({ text }) => FAILING.test(text));
  const last = dividedBy(code, condition, [';']).at(-1);
  return fails && last ? among(code, last, OR, AND, OTHER) : null;
}

/** Where the block of a condition without brackets begins. */
function conditionEnd(code: Code, from: number): number {
  const mark = code.syntax.endsWithLine ? ':' : '{';
  let at = from + 1;
  while (at < code.tokens.length && textAt(code, at) !== mark) at += 1;
  return at;
}

/** The first token after a statement that ends with its line. */
function lineEnd(code: Code, from: number): number {
  let at = from + 1;
  while (at < code.tokens.length && !endsAt(code, at, from)) at += 1;
  return at;
}

const endsAt = (code: Code, at: number, from: number): boolean =>
  textAt(code, at) === ';' || (beginsLine(code, at) && code.outer[at] === code.outer[from]);
