/** Comments that tell a compiler or a linter to leave a place alone. */
const SUPPRESSION = new RegExp(
  [
    '@ts-(?:ignore|nocheck|expect-error)',
    '(?:es|ox)lint-disable',
    'biome-ignore',
    'stylelint-disable',
    '# *(?:type|pyright|mypy) *: *(?:ignore|basic)',
    '# *noqa',
    'pylint *: *disable',
    '//nolint',
    '#!?\\[(?:allow|expect)\\(',
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
