/** How far apart a condition of Rust and what it silences may be: a line of the work may be as long as a file. */
const MAX_CONDITION_CHARACTERS = 1_000;
const UNDER_A_CONDITION = `cfg_attr\\(.{0,${MAX_CONDITION_CHARACTERS}}\\b`;

/** Comments that tell a compiler or a linter to leave a place alone. */
const SUPPRESSION = new RegExp(
  [
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
  ].join('|'),
  'g',
);

/**
 * How many more of them a patch adds than it removes. Lines are taken as `git diff` has them.
 *
 * @example
 * suppressionsAdded(['+// @ts-nocheck', ' const a = 1;']); // 1
 */
export const suppressionsAdded = (lines: Iterable<string>): number => {
  let added = 0;
  for (const line of lines) {
    const count = line.match(SUPPRESSION)?.length ?? 0;
    if (line.startsWith('+')) added += count;
    else if (line.startsWith('-')) added -= count;
  }
  return added;
};
