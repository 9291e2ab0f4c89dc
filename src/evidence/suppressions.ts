/** How far apart a condition of Rust and what it silences may be: a line of the work may be as long as a file. */
const MAX_CONDITION_CHARACTERS = 1_000;
const CONDITION = ['.', '[^\\]]'].map((one) => `${one}{0,${MAX_CONDITION_CHARACTERS}}`).join('|');
const UNDER_A_CONDITION = `cfg_attr\\s*\\((?:${CONDITION})\\b`;
/** Blanks and comments between the signs of an annotation: few enough to look behind each sign of a long file. */
const GAP = '\\s{0,200}(?:/\\*[^*]{0,60}\\*/\\s{0,60}){0,2}';
const ATTRIBUTE = `#${GAP}(?:!${GAP})?\\[${GAP}`;

/**
 * Comments that tell a measurement of coverage to leave a place out: a threshold is met without them, or not. These
 * tools look for them in lines, and take them within texts, too.
 */
const UNMEASURED_LINES = [
  '(?:c8|v8)[ \\t]+ignore',
  'node:coverage[ \\t]+(?:disable|ignore)',
  'deno-coverage-ignore',
  '#[ \\t]*pragma[: \\t]*no[ \\t]*(?:cover|branch)',
  'jacoco:ignore|NOCOV|LCOV_EXCL_|G(?:R?COV|COVR)_EXCL_',
];
const UNMEASURED = [
  '(?:istanbul|vitest)[ \\t]+ignore',
  `#!?\\[(?:${UNDER_A_CONDITION})?coverage\\(off`,
  'tarpaulin(?:_include|::skip|, ?skip)',
  'ExcludeFromCodeCoverage|@codeCoverageIgnore|:nocov:',
];

/** Comments that tell a compiler or a linter to leave a place alone: these look for them in lines, too. */
const UNCHECKED_LINES = ['# *(?:(?:ruff|flake8) *: *)?noqa', 'NOLINT'];
const UNCHECKED = [
  '@ts-(?:ignore|nocheck|expect-error)',
  '(?:es|ox)lint-disable',
  // What a comment sets for eslint and jshint: rules, environments, names. It may stand in a line of its own.
  '/\\*\\s*(?:eslint|jshint)\\s+(?:"[^"\\n]+"|[\\w@/-]+) *:|/\\*\\s*(?:eslint-env|globals?)\\s|[\\s/*]jshint\\s+-W\\d',
  'tslint:disable|swiftlint:disable|rubocop: *(?:disable|todo)|//revive:disable|NOSONAR|phpcs:(?:disable|ignore)',
  '@phpstan-ignore|@psalm-suppress|noinspection\\s',
  '[#_:][ \\t]*pragma[ \\t("]+(?:warning[ \\t(]+disable|GCC[ \\t]+system_header|clang[ \\t]+diagnostic)',
  // A marker of lines that calls what follows a header of the system.
  '^# *\\d+ +"[^"\\n]*"(?: +\\d)* +3\\b',
  '(?:biome|prettier|oxfmt|deno-lint|deno-fmt|jshint|stylelint)[- ]ignore',
  '(?:stylelint|markdownlint|yamllint)[- ]disable',
  '\\$Flow(?:FixMe|Ignore)|@noflow',
  '# *(?:type|pyright) *: *(?:ignore|basic|disable|allow|no-|strict *= *false|report\\w+ *= *(?:none|false))',
  '# *mypy *:[^\\n]{0,300}?(?:[ :,](?:ignore|disable|allow|no)[-_]|= *(?:false|0|no|off|skip|silent)\\b)',
  '# *nosec\\b',
  'pylint *: *(?:disable|skip-file)',
  '@(?:typing\\.)?no_type_check',
  '# *(?:fmt|isort|yapf) *: *(?:off|skip|disable)',
  '//lint:(?:file-)?ignore',
  `${ATTRIBUTE}(?:${UNDER_A_CONDITION})?(?:allow|expect|warn)\\s*\\(`,
  `${ATTRIBUTE}(?:${UNDER_A_CONDITION})?rustfmt::skip`,
  'clang-format +off',
  '(?:GCC|clang)[ \\t]+diagnostic[ \\t]+(?:ignored|warning)',
  // With the names before it: `@java.lang.SuppressWarnings`, `@file:[Suppress("x")]`.
  `@${GAP}(?:\\w+${GAP}[.:]${GAP}){0,9}(?:\\[${GAP})?Suppress(?:Warnings|Lint)?\\b|SuppressMessage`,
  // A file that no build takes any more.
  '^//(?:go:build| *\\+build) +ignore\\b',
  'shellcheck +disable',
];

/** Which comments count: what silences compilers and linters says nothing where neither checks. */
export type SuppressionKind = 'all' | 'coverage';

const joined = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'gim');

const PATTERNS: Readonly<Record<SuppressionKind, { readonly lines: RegExp; readonly places: RegExp }>> = {
  all: { lines: joined([...UNCHECKED_LINES, ...UNMEASURED_LINES]), places: joined([...UNCHECKED, ...UNMEASURED]) },
  coverage: { lines: joined(UNMEASURED_LINES), places: joined(UNMEASURED) },
};

/** Counts the suppressions of a kind in a text. `places`: its comments and its code, where these are known. */
export function suppressionsIn(text: string, kind: SuppressionKind, places = text): number {
  const { lines, places: commented } = PATTERNS[kind];
  return (text.match(lines)?.length ?? 0) + (places.match(commented)?.length ?? 0);
}
