import { z } from 'zod';
import type { HookEvent } from './hook-event.ts';

const SEND_MS = 10_000;
const APIS = { github: 'https://api.github.com', linear: 'https://api.linear.app' } as const;

/** Where the comment of a run is written. */
export interface CommentPlace {
  readonly event: Pick<HookEvent, 'source' | 'repository' | 'issue'>;
  readonly api: string | undefined;
  readonly token: string;
}

/** One comment of an issue, which is written once and kept up to date. */
export class IssueComment {
  readonly #place: CommentPlace;
  #id: string | null;
  #wasLost = false;
  /** The newest text that is not written yet. */
  #next: string | null = null;
  #writing: Promise<void> | null = null;
  #failure: string | null = null;

  /** `id`: of the comment that was written before. */
  constructor(place: CommentPlace, id: string | null = null) {
    this.#place = place;
    this.#id = id;
  }

  /** Writes the newest text as soon as the one before it is written. `noted` gets the id of a new comment. */
  update(text: string, noted: (id: string) => Promise<void>): void {
    this.#next = text;
    this.#writing ??= this.#writeNewest(noted);
  }

  /** Waits until the newest text is written. Returns the first failure, or null. */
  async written(): Promise<string | null> {
    await this.#writing;
    return this.#failure;
  }

  async #writeNewest(noted: (id: string) => Promise<void>): Promise<void> {
    // What is told at once is written at once.
    await Promise.resolve();
    while (this.#next !== null) {
      const text = this.#next;
      const before = this.#id;
      this.#next = null;
      this.#failure ??= await this.write(text);
      if (this.#id !== null && this.#id !== before) await noted(this.#id);
    }
    this.#writing = null;
  }

  /** Writes the text. Returns why that failed, or null. A comment that was deleted is written anew, once. */
  async write(text: string): Promise<string | null> {
    const first = await this.#send(text);
    if (first.kind === 'written') return null;
    if (first.kind !== 'gone' || this.#id === null || this.#wasLost) return first.because;
    this.#wasLost = true;
    this.#id = null;
    const again = await this.#send(text);
    return again.kind === 'written' ? null : again.because;
  }

  async #send(text: string): Promise<Sent> {
    const { event } = this.#place;
    const sent = event.source === 'github' ? await this.#toGithub(text) : await this.#toLinear(text);
    if (sent.kind === 'written') this.#id = sent.id;
    return sent;
  }

  async #toGithub(body: string): Promise<Sent> {
    const { repository, issue } = this.#place.event;
    const repo = repository.split('/').map(encodeURIComponent).join('/');
    const path =
      this.#id === null
        ? `/repos/${repo}/issues/${encodeURIComponent(issue)}/comments`
        : `/repos/${repo}/issues/comments/${this.#id}`;
    const answer = await this.#ask(path, this.#id === null ? 'POST' : 'PATCH', { body }, 'Bearer ');
    if (answer.kind !== 'answered') return answer;
    const said = z.object({ id: z.int() }).safeParse(answer.body);
    return said.success ? { kind: 'written', id: `${said.data.id}` } : UNKNOWN;
  }

  async #toLinear(body: string): Promise<Sent> {
    const { issue } = this.#place.event;
    const [query, variables] =
      this.#id === null ? [CREATE, { input: { issueId: issue, body } }] : [UPDATE, { id: this.#id, input: { body } }];
    const answer = await this.#ask('/graphql', 'POST', { query, variables }, '');
    if (answer.kind !== 'answered') return answer;
    const said = LinearAnswer.safeParse(answer.body);
    const id = said.success ? said.data.data?.written.comment?.id : undefined;
    if (id !== undefined) return { kind: 'written', id };
    return this.#id === null ? UNKNOWN : { kind: 'gone', because: 'the comment cannot be changed' };
  }

  /** A redirection is not followed: it would take the token along. */
  async #ask(path: string, method: string, body: object, scheme: string): Promise<Answer> {
    const { event, api = APIS[event.source], token } = this.#place;
    try {
      const response = await fetch(`${api.replace(/\/+$/, '')}${path}`, {
        method,
        headers: { authorization: `${scheme}${token}`, 'content-type': 'application/json', 'user-agent': 'loopfold' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(SEND_MS),
      });
      const because = `${event.source} answered with ${response.status}`;
      if (response.status === 404 || response.status === 410) return { kind: 'gone', because };
      return response.ok ? { kind: 'answered', body: await response.json() } : { kind: 'failed', because };
    } catch (error) {
      return { kind: 'failed', because: error instanceof Error ? error.message : String(error) };
    }
  }
}

type Failed = { readonly kind: 'gone' | 'failed'; readonly because: string };
type Answer = { readonly kind: 'answered'; readonly body: unknown } | Failed;
type Sent = { readonly kind: 'written'; readonly id: string } | Failed;

const UNKNOWN: Failed = { kind: 'failed', because: 'the answer names no comment' };

const CREATE = 'mutation($input: CommentCreateInput!) { written: commentCreate(input: $input) { comment { id } } }';
const UPDATE =
  'mutation($id: String!, $input: CommentUpdateInput!) { written: commentUpdate(id: $id, input: $input) { comment { id } } }';
const LinearAnswer = z.object({
  data: z.object({ written: z.object({ comment: z.object({ id: z.string() }).nullish() }) }).nullish(),
});
