/** How far apart a condition of Rust and what it silences may be: a line of the work may be as long as a file. */
const MAX_CONDITION_CHARACTERS = 1_000;
const UNDER_A_CONDITION = `cfg_attr\\(.{0,${MAX_CONDITION_CHARACTERS}}\\b`;

/** Comments that tell a measurement of coverage to leave a place out: a threshold is met without them, or not. */
const UNMEASURED = [
  '(?:c8|v8|istanbul|vitest)[ \\t]+ignore',
  'node:coverage[ \\t]+(?:disable|ignore)',
  'deno-coverage-ignore',
  '#[ \\t]*pragma[: \\t]*no[ \\t]*(?:cover|branch)',
  'jacoco:ignore|NOCOV|LCOV_EXCL_|G(?:R?COV|COVR)_EXCL_',
  `#!?\\[(?:${UNDER_A_CONDITION})?coverage\\(off`,
  'tarpaulin(?:_include|::skip|, ?skip)',
  'ExcludeFromCodeCoverage|@codeCoverageIgnore|:nocov:',
];

/** Comments that tell a compiler or a linter to leave a place alone. */
const UNCHECKED = [
  '@ts-(?:ignore|nocheck|expect-error)',
  '(?:es|ox)lint-disable',
  // What a comment sets for eslint and jshint: rules, environments, names. It may stand in a line of its own.
  '/\\*\\s*(?:eslint|jshint)\\s+(?:"[^"\\n]+"|[\\w@/-]+) *:|/\\*\\s*(?:eslint-env|globals?)\\s|[\\s/*]jshint\\s+-W\\d',
  'tslint:disable|swiftlint:disable|rubocop: *(?:disable|todo)|//revive:disable|NOSONAR|phpcs:(?:disable|ignore)',
  '@phpstan-ignore|@psalm-suppress|noinspection\\s|#pragma +(?:warning +disable|GCC +system_header|clang +diagnostic)',
  // A marker of lines that calls what follows a header of the system.
  '^# *\\d+ +"[^"\\n]*"(?: +\\d)* +3\\b',
  '(?:biome|prettier|oxfmt|deno-lint|deno-fmt|jshint|stylelint)[- ]ignore',
  '(?:stylelint|markdownlint|yamllint)[- ]disable',
  '\\$Flow(?:FixMe|Ignore)|@noflow',
  '# *(?:type|pyright|mypy) *: *(?:ignore|basic|disable|allow|no-|strict *= *false|report\\w+ *= *(?:none|false))',
  '# *mypy *: *(?:check-untyped-defs *= *[Ff]alse|follow-imports *= *skip)',
  '# *nosec\\b',
  '# *(?:(?:ruff|flake8) *: *)?noqa',
  'pylint *: *(?:disable|skip-file)',
  '@(?:typing\\.)?no_type_check',
  '# *(?:fmt|isort|yapf) *: *(?:off|skip|disable)',
  '//nolint',
  '//lint:(?:file-)?ignore',
  `#!?\\[ *(?:${UNDER_A_CONDITION})?(?:allow|expect|warn)\\(`,
  `#!?\\[(?:${UNDER_A_CONDITION})?rustfmt::skip`,
  'NOLINT',
  'clang-format +off',
  '(?:GCC|clang)[ \\t]+diagnostic[ \\t]+(?:ignored|warning)',
  '@Suppress(?:Warnings|Lint)?\\b|SuppressMessage',
  // A file that no build takes any more.
  '^//(?:go:build| *\\+build) +ignore\\b',
  'shellcheck +disable',
];

/** Which comments count: what silences compilers and linters says nothing where neither checks. */
export type SuppressionKind = 'all' | 'coverage';

const PATTERNS: Readonly<Record<SuppressionKind, RegExp>> = {
  all: new RegExp([...UNCHECKED, ...UNMEASURED].join('|'), 'gim'),
  coverage: new RegExp(UNMEASURED.join('|'), 'gim'),
};

/** Counts the comments of a kind in a text. */
export const suppressionsIn = (text: string, kind: SuppressionKind): number => text.match(PATTERNS[kind])?.length ?? 0;
