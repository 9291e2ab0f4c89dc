import { z } from 'zod';
import { head } from '../../text/excerpt.ts';
import { jsonIn } from '../../text/json-in.ts';

const MAX_REASON_CHARACTERS = 500;

const said = z.string().trim().min(1);
/** What servers say beside the error that the client reads: vLLM and Mistral, then xAI and LM Studio, then Gemini. */
const REASON = z.union([
  z.object({ message: said }).transform(({ message }) => message),
  z.object({ message: z.object({ detail: z.array(z.object({ msg: said })).min(1) }) }).transform(detail),
  z.object({ error: said }).transform(({ error }) => error),
  // As OpenAI has it, from a proxy before a provider that has its errors otherwise.
  z.object({ error: z.object({ message: said }) }).transform(({ error }) => error.message),
  z
    .array(z.object({ error: z.object({ message: said }) }))
    .min(1)
    .transform(first),
]);

function detail({ message }: { message: { detail: { msg: string }[] } }): string {
  return message.detail.map(({ msg }) => msg).join('; ');
}

function first(errors: { error: { message: string } }[]): string {
  return errors.map(({ error }) => error.message).join('; ');
}

/** The reason in a refusal of a shape that the client does not know: it says only `Bad Request` of it. */
export function reasonInBody({ responseBody }: { readonly responseBody?: unknown }): string | null {
  if (typeof responseBody !== 'string') return null;
  const read = REASON.safeParse(jsonIn(responseBody));
  return read.success ? head(read.data, MAX_REASON_CHARACTERS) : null;
}
