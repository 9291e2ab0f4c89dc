const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words of names that assert something else than that two values are the same, or that say why a test fails. */
const NO_EQUALITY = wordsOf(`
  not isnt never throw throws threw reject rejects rejected raise raises greater less above below least most gt gte lt
  lte ne neq ok truthy falsy true false null nil none undefined defined exist exists empty within close closely near
  almost
  approx approximately between contain contains containing include includes including in has match matches matching
  regex regexp does doesnt instance type satisfies some any snapshot called
  fail failed fails error errorf fatal fatalf panic log logf print printf println sprintf format skip skipf comment pass
  plan end timeout debug info warn`);
/** Words of names that assert. */
const ASSERTING = wordsOf(`
  assert asserts asserted expect expects should must equal equals eq eql eqls same is deep like check checks verify
  verifies ensure ensures require compare want wants that be`);
/** Words of names that do something with a value. */
const DOING = wordsOf(`
  set push add put write mkdir emit on once off use insert append post get patch delete remove send dispatch fill type
  click goto wait sleep delay call apply define make create update run exec spawn listen mock stub spy when then parse
  read open load render visit press select register import do`);
/** Names of calls that take a condition. */
const CONDITIONS: ReadonlySet<string> = wordsOf('assert ok true istrue truthy asserttrue');
/** Calls before these names have a value that is judged. */
const ROOTS = /^(?:expect|assert|verify|ensure|check)/i;
const INFIX = wordsOf('should must');

/** The words that a name is made of, in small letters. */
const wordsIn = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$.]+/)
    .filter((word) => word !== '');

const hasWord = (names: readonly string[], among: ReadonlySet<string>): boolean =>
  names.some((name) => wordsIn(name).some((word) => among.has(word)));

/** Tells whether a call by these names says that two values are the same. */
export const mayBeEquality = (names: readonly string[]): boolean =>
  !hasWord(names, NO_EQUALITY) && !names.some((name) => /^un(?!it)/.test(wordsIn(name)[0] ?? ''));

/** Tells whether its names say that it asserts. */
export const isAsserting = (names: readonly string[]): boolean => hasWord(names, ASSERTING);

/** Tells whether its names say that it does something else. */
export const isDoing = (names: readonly string[]): boolean => hasWord(names.slice(-1), DOING);

/** Tells whether it fails where its first argument is false. */
export const takesCondition = (names: readonly string[]): boolean =>
  CONDITIONS.has((names.at(-1) ?? '').toLowerCase().replaceAll('_', ''));

/** Tells whether what is called on its result judges that. */
export const isRoot = (name: string): boolean => ROOTS.test(name);

/** Tells whether a name stands between a value and what judges it. */
export const isInfix = (name: string): boolean => INFIX.has(name);
