const EXPECTED = /^(?:Invalid \w+|Too (?:small|big)): expected (.+?)(?:, received [\w ]+)?$/s;
const MUST = /^Invalid (\w+): (must .+)$/s;
const VALID = /^Invalid ([\w ]+)$/;

/**
 * What a schema's own message says was expected, without the kind of value that was found: the sentence around it shows
 * the value. Null: the message was written by hand.
 *
 * @example
 * expectation('Invalid input: expected string, received undefined'); // 'string'
 */
export function expectation(message: string): string | null {
  const [, expected] = EXPECTED.exec(message) ?? [];
  if (expected !== undefined) return expected;
  const [, kind, rule] = MUST.exec(message) ?? [];
  if (kind !== undefined) return `a ${kind} that ${rule}`;
  const [, valid] = VALID.exec(message) ?? [];
  return valid === undefined || valid === 'input' ? null : `a valid ${valid}`;
}
