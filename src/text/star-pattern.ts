/**
 * A pattern in which `*` stands for any text, as an expression.
 *
 * @example
 * starPattern('gh run *').test('gh run view'); // true
 */
export function starPattern(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`);
}
