import type {
  AskedView,
  ChangeView,
  ChartLayout,
  CompareView,
  ConversationView,
  InboxView,
  ListedView,
  PreviewView,
  ReportView,
  RunSpan,
  RunSteps,
  RunView,
} from './view-types.ts';

/** What was refused, in a sentence for people. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Everything of one run that an exported page has in it. */
export interface Embedded {
  readonly view: RunView;
  readonly steps: RunSteps;
  readonly spans: readonly RunSpan[];
  /** Its states from above, and all of it. */
  readonly chart: ChartLayout | null;
  readonly wholeChart: ChartLayout | null;
  readonly change: ChangeView | null;
  readonly conversation: ConversationView;
  readonly report: ReportView | null;
}

async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(path, init).catch(() => {
    throw new Refused(0, 'the server does not answer: it was stopped, or starts again');
  });
  if (response.ok) return (await response.json()) as Answer;
  throw await refusedBy(response);
}

/** Why an answer is a refusal. */
export async function refusedBy(response: Response): Promise<Refused> {
  const { message = `status ${response.status}` } = (await response.json()) as { readonly message?: string };
  return new Refused(response.status, message);
}

/** Sends a command. Rejects with a `Refused`. */
export const post = <Answer>(path: string, body: object = {}): Promise<Answer> =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Sends what a person says to a question of a run. Rejects with a `Refused`. */
export const reply = (
  { root, run, callId }: AskedView,
  verb: 'answer' | 'approve' | 'deny',
  body: object,
): Promise<unknown> => post(`/api/runs/${root}/${verb}`, { call: `${run}/${callId}`, ...body });

const about = (run: string) => `/api/runs/${encodeURIComponent(run)}`;

/** Reads from the server that the page comes from. Rejects with a `Refused`. */
export const server = {
  about: () => ask<{ readonly readOnly: boolean; readonly person: string | null }>('/api'),
  runs: (limit: number, before: string | null = null) =>
    ask<{ readonly runs: readonly ListedView[]; readonly more: number }>(
      `/api/runs?limit=${limit}${before === null ? '' : `&before=${before}`}`,
    ),
  inbox: () => ask<readonly InboxView[]>('/api/inbox'),
  view: (run: string) => ask<RunView>(about(run)),
  steps: (run: string, from: number) => ask<RunSteps>(`${about(run)}/steps?from=${from}`),
  spans: (run: string) => ask<readonly RunSpan[]>(`${about(run)}/spans`),
  chart: (run: string, isWhole: boolean) => ask<ChartLayout>(`${about(run)}/chart${isWhole ? '' : '?depth=1'}`),
  change: (run: string, round: number | null) =>
    ask<ChangeView>(`${about(run)}/diff${round === null ? '' : `?round=${round}`}`),
  conversation: (run: string) => ask<ConversationView>(`${about(run)}/conversation`),
  report: (run: string) => ask<ReportView>(`${about(run)}/report`),
  compare: (query: string) => ask<CompareView>(`/api/compare?${query}`),
  state: (run: string, at: number) => ask<object>(`${about(run)}/state?at=${at}`),
  event: (run: string, version: number) =>
    ask<readonly object[]>(`${about(run)}/events.json?offset=${version - 1}&limit=1`),
  preview: (body: object) => post<PreviewView>('/api/preview', body),
};

/** The run that an exported page has in it. Null: the page comes from a server. */
export function embedded(): Embedded | null {
  const text = document.getElementById('run')?.textContent ?? null;
  return text === null ? null : (JSON.parse(text) as Embedded);
}
