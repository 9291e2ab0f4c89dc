import { boundedRead } from '../../config/read-within.ts';
import type { UserToken } from '../../http/keys.ts';
import { userTokens } from '../../http/user-tokens.ts';
import { usage } from '../pages/complaint.ts';

const MAX_TOKENS_BYTES = 262_144;
const MAX_PORT = 65_535;

/** The tokens of a file. Throws a `Complaint` where it cannot be read, or others can change it. */
export async function tokensIn(path: string): Promise<readonly UserToken[]> {
  const read = await boundedRead(path, MAX_TOKENS_BYTES);
  if (read.kind !== 'text') throw usage('--tokens', 'a file of tokens that can be read', `'${path}'`);
  if (read.isOthers) throw usage('--tokens', 'a file that only you can change', `'${path}'`);
  const tokens = userTokens(read.text);
  if (typeof tokens === 'string') throw usage('--tokens', 'a token and a name on each line', tokens);
  return tokens;
}

/** A port as a user writes it; 0 is any. Throws a `Complaint`. */
export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= MAX_PORT) return port;
  throw usage('--port', `a whole number from 0 to ${MAX_PORT}`, `'${text}'`);
}
