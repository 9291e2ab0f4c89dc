import { beginsLine, type Code, textAt } from './code-groups.ts';
import type { OwnTest } from './own-tests.ts';

const LEFT_ALONE = /\b(?:skip|skipif|skipIf|skipUnless|xfail|expectedFailure)\b/;

/** The tests of a file of Python: functions at its top, and methods of its classes. */
export function testsOfPython(code: Code): readonly OwnTest[] {
  return code.tokens.flatMap((_, at) => {
    const first = textAt(code, at - 1) === 'async' ? at - 1 : at;
    const isTest = textAt(code, at) === 'def' && textAt(code, at + 1).startsWith('test');
    return isTest && isLine(code, first) && isInClass(code, first) ? testAt(code, first, at) : [];
  });
}

function testAt(code: Code, first: number, at: number): readonly OwnTest[] {
  const { text, tokens } = code;
  const name = tokens[at + 1];
  const head = firstDecorator(code, first);
  const end = blockEnd(code, first);
  const last = tokens[end - 1];
  if (!name || !last) return [];
  const from = lineStart(code, head);
  const lineEnd = text.indexOf('\n', last.to);
  const to = lineEnd < 0 ? text.length : lineEnd;
  if (LEFT_ALONE.test(text.slice(from, name.from))) return [];
  return [{ from, to, nameEnd: name.to, joiner: '_', body: { from: at + 2, to: end }, at: to, before: '\n' }];
}

/** Tells whether a statement begins with a line there. */
const isLine = (code: Code, at: number): boolean => beginsLine(code, at) && code.outer[at] === -1;

const lineStart = ({ text, tokens }: Code, at: number): number =>
  text.lastIndexOf('\n', (tokens[at]?.from ?? 0) - 1) + 1;

/** Measures the distance of a line from the margin, in characters. */
const indentAt = (code: Code, at: number): number => (code.tokens[at]?.from ?? 0) - lineStart(code, at);

/** The first token after what belongs to the line that begins there. */
function blockEnd(code: Code, first: number): number {
  const indent = indentAt(code, first);
  let at = first + 1;
  while (at < code.tokens.length && !(isLine(code, at) && indentAt(code, at) <= indent)) at += 1;
  return at;
}

/** Where the lines begin that decorate a function. */
function firstDecorator(code: Code, first: number): number {
  const indent = indentAt(code, first);
  for (let at = first - 1, head = first; ; at -= 1) {
    if (at < 0) return head;
    if (!isLine(code, at)) continue;
    if (textAt(code, at) !== '@' || indentAt(code, at) !== indent) return head;
    head = at;
  }
}

/** Tells whether a line stands at the margin, or right in a class that does. */
function isInClass(code: Code, first: number): boolean {
  const indent = indentAt(code, first);
  if (indent === 0) return true;
  let at = first - 1;
  while (at >= 0 && !(isLine(code, at) && indentAt(code, at) < indent)) at -= 1;
  return at >= 0 && textAt(code, at) === 'class' && indentAt(code, at) === 0;
}
