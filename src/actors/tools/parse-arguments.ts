import { inspect } from 'node:util';
import { head } from '../../text/excerpt.ts';
import type { Json } from '../../log/envelope.ts';
import type { Tool } from './tool.ts';
import { jsonIn } from '../../text/json-in.ts';

const MAX_ISSUES = 10;
const SHOWN_CHARS = 80;

type ParsedArguments =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly message: string };

/** What a model sent, as the tool's input; or, for it to read, which field is wrong, its value, what was expected. */
export async function parseArguments({ name, input }: Tool, given: Json): Promise<ParsedArguments> {
  const refused = (issues: readonly string[]): ParsedArguments => ({
    ok: false,
    message: `arguments of ${name}: ${issues.join('; ')}`,
  });
  // Some providers hand arguments on as text.
  const value = typeof given === 'string' ? (jsonIn(given) as Json | undefined) : given;
  if (value === undefined)
    return refused([`expected a JSON object, got text that is no JSON: ${excerpt(given)}${cutHint(String(given))}`]);
  try {
    const parsed = await input.safeParseAsync(value);
    if (parsed.success) return { ok: true, input: parsed.data };
    return refused(
      parsed.error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
        const field = path.length === 0 ? '' : `${path.join('.')}: `;
        // A schema says which kind of value it received; the value itself says more.
        const wrong = message.replace(/, received [\w ]+$/, '');
        return `${field}${wrong}, got ${excerpt(at(value, path))}`;
      }),
    );
  } catch (error) {
    return refused([`its schema threw ${inspect(error)}`]);
  }
}

/** An answer that reaches its greatest length inside a call ends there. The same call would be cut again. */
const cutHint = (given: string): string =>
  given.trimStart().startsWith('{') && !given.trimEnd().endsWith('}')
    ? '. It stops in the middle, as where an answer is cut off at its greatest length: do the same in shorter calls'
    : '';

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((from, key) => (typeof from === 'object' && from !== null ? Reflect.get(from, key) : undefined), value);

function excerpt(value: unknown): string {
  return head(value === undefined ? 'nothing' : JSON.stringify(value), SHOWN_CHARS);
}
