import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { IssueRule } from './trigger-rules.ts';

/** Something that happened where issues are kept, as rules name it. */
export interface HookEvent {
  readonly source: IssueRule['source'];
  readonly on: IssueRule['on'];
  /** The label, the text in which a name may be mentioned, the assignee, or the workflow. */
  readonly what: string;
  readonly repository: string;
  /** The number of the issue, or its id at Linear; empty: there is none. */
  readonly issue: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** RFC 3339. */
  readonly at: string;
}

/** A request as it came, before anything of it is believed. */
export interface HookRequest {
  readonly source: IssueRule['source'];
  readonly headers: Pick<Headers, 'get'>;
  readonly body: string;
}

/** A signed request of Linear that is older is refused; GitHub signs no time. */
const MAX_AGE_MS = 60_000;

const SIGNATURES = { github: 'x-hub-signature-256', linear: 'linear-signature' } as const;

/** Tells if a request was signed with that secret. */
export function isSigned({ source, headers, body }: HookRequest, secret: string): boolean {
  const said = (headers.get(SIGNATURES[source]) ?? '').replace(/^sha256=/, '');
  const made = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(said) ? said : '', 'hex');
  return given.length === made.length && timingSafeEqual(given, made);
}

/**
 * What makes a delivery the same when it comes again: what it says, without the time of sending. Ids in headers are not
 * signed, so a copied request would begin another run by another id.
 */
export function deliveryOf({ source, body }: HookRequest): string {
  const said = jsonOf(body);
  const { webhookTimestamp: _, ...rest } = Object(said) as { readonly webhookTimestamp?: unknown };
  return `${source}/${source === 'linear' ? JSON.stringify(rest) : body}`;
}

/** Tells if a signed request says that it was sent long ago, or will be. GitHub signs no time. */
export function isOld({ source, body }: HookRequest, now: number): boolean {
  const { webhookTimestamp: sent } = Object(jsonOf(body)) as { readonly webhookTimestamp?: unknown };
  return source === 'linear' && !(typeof sent === 'number' && Math.abs(now - sent) <= MAX_AGE_MS);
}

const name = z.object({ name: z.string() });
const login = z.object({ login: z.string() });

const GithubHook = z.object({
  action: z.string(),
  repository: z.object({ full_name: z.string() }),
  label: name.optional(),
  assignee: login.nullish(),
  issue: z
    .object({
      number: z.int(),
      title: z.string(),
      body: z.string().nullish(),
      html_url: z.string(),
      updated_at: z.string(),
    })
    .optional(),
  comment: z.object({ body: z.string(), updated_at: z.string() }).optional(),
  workflow_run: z
    .object({
      name: z.string().nullish(),
      conclusion: z.string().nullish(),
      html_url: z.string(),
      updated_at: z.string(),
    })
    .optional(),
});

/** A webhook of GitHub sends JSON, or a form with the same JSON in it: a person chooses. */
const githubJson = ({ headers, body }: HookRequest): string =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded')
    ? (new URLSearchParams(body).get('payload') ?? '')
    : body;

/** The event in a request of GitHub. Null: it is of no kind that a rule can name. */
function githubEvent(request: HookRequest): HookEvent | null {
  const read = GithubHook.safeParse(jsonOf(githubJson(request)));
  if (!read.success) return null;
  const { action, repository, issue, label, assignee, comment, workflow_run: workflow } = read.data;
  const base = { source: 'github', repository: repository.full_name } as const;
  const kind = request.headers.get('x-github-event');
  if (kind === 'workflow_run' && workflow?.conclusion === 'failure' && action === 'completed') {
    const what = workflow.name ?? '';
    const title = `The workflow ${what} has failed`;
    const { html_url: url, updated_at: at } = workflow;
    return { ...base, on: 'workflow_failed', what, issue: '', title, body: url, url, at };
  }
  if (!issue) return null;
  const { number, title, html_url: url, updated_at: at } = issue;
  const about = { ...base, issue: `${number}`, title, body: issue.body ?? '', url, at };
  if (kind === 'issues' && action === 'labeled' && label) return { ...about, on: 'label', what: label.name };
  if (kind === 'issues' && action === 'assigned' && assignee) return { ...about, on: 'assigned', what: assignee.login };
  if (kind === 'issue_comment' && action === 'created' && comment)
    return { ...about, on: 'mention', what: comment.body, at: comment.updated_at };
  return null;
}

const LinearHook = z.object({
  action: z.string(),
  type: z.string(),
  createdAt: z.string(),
  url: z.string().default(''),
  updatedFrom: z.object({ labelIds: z.array(z.string()).optional(), assigneeId: z.string().nullish() }).optional(),
  data: z.object({
    id: z.string(),
    title: z.string().default(''),
    description: z.string().nullish(),
    body: z.string().default(''),
    team: z.object({ key: z.string() }).optional(),
    labels: z.array(name.extend({ id: z.string() })).default([]),
    assignee: name.nullish(),
    issue: z.object({ id: z.string(), title: z.string(), team: z.object({ key: z.string() }).optional() }).optional(),
  }),
});

/** The events in a request of Linear: an issue may get several labels at once. */
function linearEvents({ body }: HookRequest): readonly HookEvent[] {
  const read = LinearHook.safeParse(jsonOf(body));
  if (!read.success) return [];
  const { action, type, data, updatedFrom, createdAt: at, url } = read.data;
  const base = { source: 'linear', url, at } as const;
  if (type === 'Comment' && action === 'create' && data.issue) {
    const { id: issue, title, team } = data.issue;
    return [{ ...base, repository: team?.key ?? '', issue, title, body: data.body, on: 'mention', what: data.body }];
  }
  if (type !== 'Issue') return [];
  const { id: issue, title, description, team, labels, assignee } = data;
  const about = { ...base, repository: team?.key ?? '', issue, title, body: description ?? '' };
  const had: readonly string[] | undefined = action === 'create' ? [] : updatedFrom?.labelIds;
  const added = had === undefined ? [] : labels.filter(({ id }) => !had.some((one) => one === id));
  const isAssigned = assignee && (action === 'create' || updatedFrom?.assigneeId !== undefined);
  return [
    ...added.map((label) => ({ ...about, on: 'label' as const, what: label.name })),
    ...(isAssigned ? [{ ...about, on: 'assigned' as const, what: assignee.name }] : []),
  ];
}

/** The events in a signed request. */
export function eventsIn(request: HookRequest): readonly HookEvent[] {
  if (request.source === 'linear') return linearEvents(request);
  const event = githubEvent(request);
  return event ? [event] : [];
}

/** Tells if a rule is about an event. Nothing that the event carries chooses more than this. */
export function fits({ source, on, match, repository }: IssueRule, event: HookEvent): boolean {
  if (source !== event.source || on !== event.on) return false;
  if (repository.toLowerCase() !== event.repository.toLowerCase()) return false;
  if (on !== 'mention') return event.what.toLowerCase() === match.toLowerCase();
  // An address of a mailbox is no mention.
  const words: readonly string[] = event.what.toLowerCase().match(/(?<!\w)@[\w-]+/g) ?? [];
  return words.includes(`@${match.toLowerCase().replace(/^@/, '')}`);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
