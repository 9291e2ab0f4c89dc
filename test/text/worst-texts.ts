/** Pieces of which a text is made that a pattern may read from many starts. */
const UNITS: readonly string[] = [
  ['\u001b]', '\u001b[', '\u009d', '\0', '\ud800', '\u2028', '🎉', 'é'],
  ['`', '```\n', '"', '"""\n', "'", '“', '[', '(', '{', '{"a":', '<', '<a ', '<!--', '/*'],
  [' ', '\t', '\n', ' \n', '\r', '- ', '-', '---\n', '#', '## a\n---\n', '*', '_', '//', '.', ': ', '=', ',', '$('],
  ['a', 'a b ', 'a.', 'A', '0', '1. ', 'error: ', 'import ', 'npm ', 'test ', 'TODO ', '`a', 'a: 1\n'],
  ['a "b" `c` (d) <e> [f] {g} - 1. # $h\n'],
].flat();

/** Texts of about that many characters, each of one piece, and then a letter at which a pattern fails. */
export const worstTexts = (chars: number): readonly (readonly [unit: string, text: string])[] =>
  UNITS.map((unit) => [unit, `${unit.repeat(Math.ceil(chars / unit.length))}z`]);
