import { z } from 'zod';
import type { HookEvent } from './hook-event.ts';

const SEND_MS = 10_000;
const APIS = { github: 'https://api.github.com', linear: 'https://api.linear.app' } as const;
/** The codes of errors after which nothing has reached the service. */
const UNSENT: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** The answers of a gateway that has lost the one of the service. */
const GATEWAY: readonly number[] = [502, 504];

/** Where the comment of a run is written. */
export interface CommentPlace {
  readonly event: Pick<HookEvent, 'source' | 'repository' | 'issue'>;
  readonly api: string | undefined;
  readonly token: string;
}

/**
 * Why a comment was not written. `gone`: there is no such comment or issue. `busy`: the same may succeed soon.
 * `unclear`: it may have been written.
 */
export interface Unwritten {
  readonly kind: 'gone' | 'busy' | 'refused' | 'unclear';
  readonly because: string;
}
type Answer = { readonly kind: 'answered'; readonly body: unknown } | Unwritten;
export type Sent = { readonly kind: 'written'; readonly id: string } | Unwritten;

/** Writes a comment where issues are kept. `id`: of the comment that is changed. Null: it is a new one. */
export const sendComment = (place: CommentPlace, id: string | null, text: string): Promise<Sent> =>
  place.event.source === 'github' ? toGithub(place, id, text) : toLinear(place, id, text);

async function toGithub(place: CommentPlace, id: string | null, body: string): Promise<Sent> {
  const { repository, issue } = place.event;
  const repo = repository.split('/').map(encodeURIComponent).join('/');
  const path =
    id === null
      ? `/repos/${repo}/issues/${encodeURIComponent(issue)}/comments`
      : `/repos/${repo}/issues/comments/${id}`;
  const answer = await ask(place, path, id === null ? 'POST' : 'PATCH', { body });
  if (answer.kind !== 'answered') return answer;
  const said = z.object({ id: z.int() }).safeParse(answer.body);
  return said.success ? { kind: 'written', id: `${said.data.id}` } : UNKNOWN;
}

async function toLinear(place: CommentPlace, id: string | null, body: string): Promise<Sent> {
  const [query, variables] =
    id === null ? [CREATE, { input: { issueId: place.event.issue, body } }] : [UPDATE, { id, input: { body } }];
  const answer = await ask(place, '/graphql', 'POST', { query, variables });
  if (answer.kind !== 'answered') return answer;
  const said = LinearAnswer.safeParse(answer.body);
  const written = said.success ? said.data.data?.written.comment?.id : undefined;
  if (written !== undefined) return { kind: 'written', id: written };
  return id === null ? UNKNOWN : { kind: 'gone', because: 'the comment cannot be changed' };
}

/** A redirection is not followed: it would take the token along. */
async function ask({ event, api, token }: CommentPlace, path: string, method: string, body: object): Promise<Answer> {
  const base = (api ?? APIS[event.source]).replace(/\/+$/, '');
  const authorization = event.source === 'github' ? `Bearer ${token}` : token;
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', 'user-agent': 'loopfold' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_MS),
    });
    if (response.ok) return { kind: 'answered', body: await response.json() };
    return { kind: refusalOf(response.status), because: `${event.source} answered with ${response.status}` };
  } catch (error) {
    return unsent(error);
  }
}

function refusalOf(status: number): Unwritten['kind'] {
  if (status === 404 || status === 410) return 'gone';
  if (GATEWAY.includes(status)) return 'unclear';
  return status === 429 || status >= 500 ? 'busy' : 'refused';
}

function unsent(error: unknown): Unwritten {
  const { message, cause } = Object(error) as { readonly message?: string; readonly cause?: unknown };
  const { code = '' } = Object(cause) as { readonly code?: string };
  const because = code === '' ? (message ?? String(error)) : `${message}: ${code}`;
  return { kind: UNSENT.includes(code) ? 'busy' : 'unclear', because };
}

const UNKNOWN: Unwritten = { kind: 'unclear', because: 'the answer names no comment' };

const CREATE = 'mutation($input: CommentCreateInput!) { written: commentCreate(input: $input) { comment { id } } }';
const UPDATE =
  'mutation($id: String!, $input: CommentUpdateInput!) { written: commentUpdate(id: $id, input: $input) { comment { id } } }';
const LinearAnswer = z.object({
  data: z.object({ written: z.object({ comment: z.object({ id: z.string() }).nullish() }) }).nullish(),
});
