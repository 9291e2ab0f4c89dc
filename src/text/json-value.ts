import canonicalize from 'canonicalize';
import { z } from 'zod';

type JsonValue = z.infer<ReturnType<typeof z.json>>;

/** Accepts what the log can hold: JSON without cycles and with whole characters. `error` says what was expected. */
export const json = (error: string) =>
  z.custom<JsonValue>((value) => z.json().safeParse(value).success && isWritable(value), { error });

function isWritable(value: unknown): boolean {
  try {
    canonicalize(value);
    return true;
  } catch {
    return false;
  }
}
