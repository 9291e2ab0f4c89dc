import ts from 'typescript';

/** Of `testInTurn` only tables are taken every time: one of their cases. */
const ALWAYS = /^(?:test|testInTurn\.(?:each|for))\b/;
const ANY = /^test(?:InTurn)?\b/;

/** What a test is called where it is written: of a table, up to its first blank. */
export interface WrittenTest {
  readonly name: string;
  readonly isAlways: boolean;
}

/** The tests in a file, and whether every `npm test` takes them. */
export function testsIn(path: string, source: string): WrittenTest[] {
  return [...callsIn(parsed(path, source))].flatMap(({ called, call }) => {
    const name = textOf(call.arguments[0]);
    return ANY.test(called) && name !== null ? [{ name, isAlways: ALWAYS.test(called) }] : [];
  });
}

/** The groups of a file that have tests in turn alone, by their first words: a group without a test fails. */
export function emptyAtTimes(path: string, source: string): string[] {
  const file = parsed(path, source);
  const groups = [...callsIn(file)].filter(({ called }) => /^describe\b/.test(called)).map(({ call }) => call);
  return [file, ...groups].flatMap((group) => {
    const called = [...callsIn(group)].map((one) => one.called).filter((one) => ANY.test(one));
    if (called.length === 0 || called.some((one) => ALWAYS.test(one))) return [];
    return [group === file ? path : `${path}: ${group.getText(file).slice(0, 60)}`];
  });
}

function textOf(name: ts.Expression | undefined): string | null {
  if (name && ts.isStringLiteralLike(name)) return name.text;
  return name && ts.isTemplateExpression(name) ? name.head.text : null;
}

const parsed = (path: string, source: string) => ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);

/** The calls in a part of a file, that part itself left out, and what each calls. */
function* callsIn(part: ts.Node): Generator<{ readonly called: string; readonly call: ts.CallExpression }> {
  const children: ts.Node[] = [];
  ts.forEachChild(part, (child) => void children.push(child));
  for (const child of children) {
    if (ts.isCallExpression(child)) yield { called: child.expression.getText(), call: child };
    yield* callsIn(child);
  }
}
