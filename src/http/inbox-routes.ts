import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { askedView } from '../app/views/question-in-view.ts';
import { AskedView } from '../app/views/run-parts-view.ts';
import { MAX_LINE_CHARS, shownText } from '../app/views/line-for-view.ts';
import type { InboxItem } from '../projections/read-inbox.ts';
import { answers, type ApiEnv } from './api-app.ts';
import type { ApiHost } from './api-host.ts';

const about = { run: z.string(), since: z.string() };

/** Something that a person has to do. `run`: the root of its tree. */
export const InboxView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), ...about, question: AskedView }),
  z.object({ kind: z.literal('remedy'), ...about, text: z.string() }),
  z.object({ kind: z.literal('unreadable'), ...about, text: z.string() }),
]);
export type InboxView = z.infer<typeof InboxView>;

const inbox = createRoute({
  method: 'get',
  path: '/api/inbox',
  summary: 'What all runs wait for people to do, the longest wait first.',
  responses: answers(z.array(InboxView), 'What waits.'),
});

/** The routes by the names that a client has for them. */
export const inboxEndpoints = { inbox };

/** Routes about what waits for people. */
export function addInboxRoutes(app: OpenAPIHono<ApiEnv>, { loops }: ApiHost): void {
  const viewOf = async (item: InboxItem): Promise<InboxView> => {
    const { run, since } = item;
    if (item.kind === 'question')
      return { kind: 'question', run, since, question: await askedView(loops, run, item.question) };
    const text = item.kind === 'remedy' ? item.text : item.reason;
    return { kind: item.kind, run, since, text: shownText(text, MAX_LINE_CHARS) };
  };
  app.openapi(inbox, async (c) => c.json(await Promise.all((await loops.inbox()).map(viewOf)), 200));
}
