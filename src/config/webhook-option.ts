import { z } from 'zod';
import { ActivityStatus } from '../../machines/settings.ts';

const NAME = 'the name of an environment variable';

export const VariableName = z.string({ error: NAME }).regex(/^[A-Za-z_]\w*$/, NAME);

/** Each gets every activity of a run, so more are hardly wanted. */
const MAX_WEBHOOKS = 8;
const MAX_URL_CHARS = 2_000;

const ADDRESS = 'an https or http URL';
const WEBHOOK = `${ADDRESS}, or {url, secretVariable, statuses}`;

function isAddress(text: string): boolean {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return false;
  return ['https:', 'http:'].includes(new URL(text).protocol);
}

const STATUSES = `one or more of ${ActivityStatus.options.join(', ')}`;

const WebhookFields = z.strictObject({
  url: z.string({ error: ADDRESS }).refine(isAddress, { error: ADDRESS }),
  secretVariable: VariableName.nullable().optional(),
  statuses: z
    .array(z.enum(ActivityStatus.options, { error: STATUSES }), { error: STATUSES })
    .min(1, STATUSES)
    .optional(),
});

/** A URL, or the fields as JSON: flags and the environment have only text. */
const WebhookLine = z
  .string()
  .transform((line, context): z.input<typeof WebhookFields> => {
    if (!line.trimStart().startsWith('{')) return { url: line };
    try {
      return JSON.parse(line) as z.input<typeof WebhookFields>;
    } catch {
      context.addIssue({ code: 'custom', message: WEBHOOK });
      return z.NEVER;
    }
  })
  .pipe(WebhookFields);

/** Where a run reports its status. */
export const WebhooksOption = z
  .array(z.union([WebhookLine, WebhookFields], { error: WEBHOOK }), { error: 'a list of webhooks' })
  .max(MAX_WEBHOOKS, { error: `at most ${MAX_WEBHOOKS} webhooks` });
export type AskedWebhook = z.output<typeof WebhookFields>;
