/** How far apart a condition of Rust and what it silences may be: a line of the work may be as long as a file. */
const MAX_CONDITION_CHARACTERS = 1_000;
const UNDER_A_CONDITION = `cfg_attr\\(.{0,${MAX_CONDITION_CHARACTERS}}\\b`;

/** Comments that tell a measurement of coverage to leave a place out: a threshold is met without them, or not. */
const UNMEASURED = [
  '(?:c8|v8|istanbul|vitest)[ \\t]+ignore',
  'node:coverage[ \\t]+(?:disable|ignore)',
  'deno-coverage-ignore',
  '# ?(?:pragma|PRAGMA)[: ]? ?(?:no|NO) ?(?:cover|COVER|branch|BRANCH)',
  'jacoco:ignore|NOCOV|LCOV_EXCL_|G(?:R?COV|COVR)_EXCL_',
  `#!?\\[(?:${UNDER_A_CONDITION})?coverage\\(off`,
  'tarpaulin(?:_include|::skip|, ?skip)',
  'ExcludeFromCodeCoverage|@codeCoverageIgnore|:nocov:',
];

/** Comments that tell a compiler or a linter to leave a place alone. */
const UNCHECKED = [
  '@ts-(?:ignore|nocheck|expect-error)',
  '(?:es|ox)lint-disable',
  // Rules of eslint, as a comment sets them.
  '/\\* *eslint +[\\w@/-]+ *:',
  '(?:biome|prettier|oxfmt|deno-lint|deno-fmt|jshint|stylelint)[- ]ignore',
  '(?:stylelint|markdownlint|yamllint)[- ]disable',
  '\\$Flow(?:FixMe|Ignore)|@noflow',
  '# *(?:type|pyright|mypy) *: *(?:ignore|basic|disable|allow)',
  '# *(?:(?:ruff|flake8) *: *)?noqa',
  'pylint *: *(?:disable|skip-file)',
  '@(?:typing\\.)?no_type_check',
  '# *(?:fmt|isort|yapf) *: *(?:off|skip|disable)',
  '//nolint',
  '//lint:(?:file-)?ignore',
  `#!?\\[(?:${UNDER_A_CONDITION})?(?:allow|expect)\\(`,
  `#!?\\[(?:${UNDER_A_CONDITION})?rustfmt::skip`,
  'NOLINT',
  'clang-format +off',
  'GCC +diagnostic +ignored',
  '@SuppressWarnings',
  'shellcheck +disable',
];

/** Which comments count: what silences compilers and linters says nothing where neither checks. */
export type SuppressionKind = 'all' | 'coverage';

const PATTERNS: Readonly<Record<SuppressionKind, RegExp>> = {
  all: new RegExp([...UNCHECKED, ...UNMEASURED].join('|'), 'g'),
  coverage: new RegExp(UNMEASURED.join('|'), 'g'),
};

/**
 * How many more of them a patch adds than it removes. Lines are taken as `git diff` has them.
 *
 * @example
 * suppressionsAdded(['+// @ts-nocheck', ' const a = 1;'], 'all'); // 1
 */
export const suppressionsAdded = (lines: Iterable<string>, kind: SuppressionKind): number => {
  let added = 0;
  for (const line of lines) {
    const count = line.match(PATTERNS[kind])?.length ?? 0;
    if (line.startsWith('+')) added += count;
    else if (line.startsWith('-')) added -= count;
  }
  return added;
};
