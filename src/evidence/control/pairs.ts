import { anotherValue } from './another-value.ts';
import { type Code, type Span, textAt } from './code-groups.ts';
import { equalityCall, type Expectation } from './equality-calls.ts';
import type { OwnTest } from './own-tests.ts';
import type { Copies, WriteMark } from './write-tests.ts';
import { mayBeEquality } from './assertion-names.ts';
import { statementChain } from './call-chain.ts';
import { comparisonAt } from './comparisons.ts';

/** After them, an assertion that fails may be what a test wants. */
const CATCHING = new Set(['try', 'raises', 'assertRaises', 'assertRaisesRegex', 'should_panic', 'catch_unwind']);

/** The values that a test expects, in the order of its text: where another one stands there, it must fail. */
function expectationsIn(code: Code, body: Span): readonly Expectation[] {
  const found: Expectation[] = [];
  for (let at = body.from; at < body.to; at += 1) {
    const { kind, text } = code.tokens[at] ?? {};
    if (kind !== 'word') continue;
    if (CATCHING.has(text ?? '')) break;
    const chain = statementChain(code, at);
    const one = (chain && equalityCall(code, chain)) ?? comparisonAt(code, at);
    if (one && !isCaught(code, at, body)) found.push(one);
  }
  return found;
}

/** Tells whether a call around it takes a failure for what it wants, such as `throws`. */
function isCaught(code: Code, at: number, { from }: Span): boolean {
  for (let open = code.outer[at] ?? -1; open >= from; open = code.outer[open] ?? -1) {
    if (textAt(code, open) === '(' && !mayBeEquality([textAt(code, open - 1)])) return true;
  }
  return false;
}

/** The most pairs of copies that a file gets. */
const MAX_PAIRS = 6;
/** A longer test is not copied, and a longer file is not read. */
const MAX_TEST_CHARACTERS = 20_000;
export const MAX_FILE_CHARACTERS = 400_000;

interface Place extends Expectation {
  readonly test: OwnTest;
}

/**
 * Copies of a file's own tests, to stand right after them: of each one as it is, and one that expects another value.
 * Forms of assertions without a name that says so are taken where the file has no other.
 *
 * @param first - The index of the first label that is free.
 */
export function pairsOf(code: Code, tests: readonly OwnTest[], mark: WriteMark & { readonly first: number }): Copies[] {
  const short = tests.filter(({ from, to }) => to - from <= MAX_TEST_CHARACTERS);
  const all = short.flatMap((test) => expectationsIn(code, test.body).map((one) => ({ ...one, test })));
  const named = all.filter(({ isNamed }) => isNamed);
  const others = mark.isBare ? all : [];
  return wanted(named.length > 0 ? named : others).map((place, index) => {
    const at = mark.first + 2 * index;
    // Which of them comes first is not for the work to know.
    const isTurned = ((mark.numbers[0] >> index) & 1) === 1;
    const [twin, changed] = isTurned ? [mark.label(at + 1), mark.label(at)] : [mark.label(at), mark.label(at + 1)];
    const [same, other] = [
      copy(code, place.test, twin, null),
      copy(code, place.test, changed, valueOf(code, place, mark)),
    ];
    const texts = isTurned ? [other, same] : [same, other];
    return { form: place.form, twin, changed, at: place.test.at, before: place.test.before, texts };
  });
}

/** One of each form, and then one of each test that has none. */
function wanted(places: readonly Place[]): readonly Place[] {
  const forms = [...Map.groupBy(places, ({ form }) => form).values()].flatMap(([one]) => one ?? []);
  const used = new Set(forms.map(({ test }) => test));
  const more = [...Map.groupBy(places, ({ test }) => test)].flatMap(([test, [one]]) =>
    used.has(test) || !one ? [] : one,
  );
  return [...forms, ...more].slice(0, MAX_PAIRS);
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function valueOf({ tokens, syntax }: Code, { at }: Place, { numbers }: WriteMark): Change | null {
  const token = tokens[at];
  return token ? { from: token.from, to: token.to, text: anotherValue(token, syntax, numbers) } : null;
}

function copy({ text }: Code, { from, to, nameEnd, joiner }: OwnTest, label: string, change: Change | null): string {
  const head = `${text.slice(from, nameEnd)}${joiner}${label}`;
  if (change === null) return head + text.slice(nameEnd, to);
  return head + text.slice(nameEnd, change.from) + change.text + text.slice(change.to, to);
}

/** A text with copies of its tests after them. */
export function withCopies(text: string, copies: readonly Copies[]): string {
  let read = 0;
  const parts = copies
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, before, texts }) => {
      const kept = text.slice(read, at);
      read = at;
      // What stands in the same line goes on after them.
      const isOver = /^[^\S\n]*(?:\n|$|\/\/|#)/.test(text.slice(at));
      return kept + texts.map((added) => before + added).join('') + (isOver ? '' : before);
    });
  return parts.join('') + text.slice(read);
}
