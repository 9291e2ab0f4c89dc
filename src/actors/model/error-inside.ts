import { z } from 'zod';

const text = z.string().trim().min(1);
const Outer = z.looseObject({ error: z.unknown().optional() });
/** An error that stands alone, with no part of an answer beside it: vLLM and Mistral, FastAPI, Anthropic. */
const Bare = z.union([
  z.looseObject({ object: z.literal('error') }),
  z.looseObject({ type: z.literal('error') }),
  z.looseObject({ message: text, choices: z.undefined(), candidates: z.undefined(), content: z.undefined() }),
  z.looseObject({ detail: z.union([text, z.array(z.unknown()).min(1)]) }),
]);
const name = z.unknown().optional();
const Names = z.looseObject({ code: name, type: name, status: name });

/** What servers call their errors, where they give them no number. The first that fits holds. */
const NAMED: readonly (readonly [RegExp, number])[] = [
  [/insufficient_quota|rate_?limit|too_many_requests|resource_?exhausted|throttl/i, 429],
  [/insufficient_(balance|credit|funds)|billing|payment_required/i, 402],
  [/authentication|unauthenticated|unauthorized|api_?key/i, 401],
  [/permission|forbidden/i, 403],
  [/not_?found/i, 404],
  [/too_?large/i, 413],
  [/time_?out|deadline_exceeded/i, 504],
  [/overload|unavailable/i, 503],
  [/invalid|bad_?request|context|content_(filter|policy)|failed_?precondition|unsupported/i, 400],
  [/server_error|internal|api_error/i, 500],
];
/** An error without any of them is taken for a failure of the server, which may pass. */
const UNNAMED = 500;

/** The error that a server tells in place of an answer, as it names it. Null: it tells none. */
export function errorInside(said: unknown): { readonly [name: string]: unknown } | null {
  const [first] = Array.isArray(said) ? said : [said];
  const outer = Outer.safeParse(first).data;
  if (outer === undefined) return null;
  const { error, ...beside } = outer;
  if (typeof error === 'object' && error !== null) return { ...beside, ...error };
  if (text.safeParse(error).success) return { ...beside, message: error };
  return Bare.safeParse(outer).success ? outer : null;
}

/** The HTTP status that such an error would have had. */
export const statusOfError = (error: unknown): number => statusNamed(error) ?? UNNAMED;

/** The same; null where neither a number nor a known name says it. */
export function statusNamed(error: unknown): number | null {
  const names = Names.safeParse(error).data;
  if (names === undefined) return null;
  const said = [names.code, names.status, names.type];
  const number = said.map((one) => (/^[45]\d\d$/.test(String(one)) ? Number(one) : null)).find((one) => one !== null);
  if (number !== undefined) return number;
  const words = said.filter((one) => typeof one === 'string').join(' ');
  return NAMED.find(([name]) => name.test(words))?.[1] ?? null;
}
