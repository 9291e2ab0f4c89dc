import type { ElicitRequestParams } from '@modelcontextprotocol/client';
import { Json } from '../../../machines/json.ts';
import { MAX_QUESTION_CHARS, type ServerQuestion } from '../../../machines/server-question.ts';
import { isDeeperThan } from '../../log/json-depth.ts';
import { sha256 } from '../../log/sha256.ts';
import { canonicalText } from '../../log/canonical-text.ts';
import { fieldsOf } from '../../prompt/answer-form.ts';
import { head } from '../../text/excerpt.ts';
import { plain } from '../../text/one-line.ts';

const MAX_FORM_CHARS = 16_000;
const MAX_FORM_DEPTH = 8;

/** The question of a server, bounded. Returns null where a person cannot fill it in here. */
export function questionOf(server: string, params: ElicitRequestParams): ServerQuestion | null {
  if (!('requestedSchema' in params) || isDeeperThan(MAX_FORM_DEPTH, params.requestedSchema)) return null;
  const text = JSON.stringify(params.requestedSchema).toWellFormed();
  if (text.length > MAX_FORM_CHARS) return null;
  const form = Json.parse(JSON.parse(plain(text)));
  if (!fieldsOf(form)) return null;
  const message = plain(head(params.message.toWellFormed(), MAX_QUESTION_CHARS));
  const asked = { server, message, form };
  return { ...asked, digest: sha256(canonicalText(asked)) };
}
