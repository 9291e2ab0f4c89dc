import { deliveryOf, eventsIn, fits, type HookEvent, type HookRequest, isOld, isSigned } from './hook-event.ts';
import { scheduleClock } from './schedule-clock.ts';
import { type IssueRule, secretVariableOf, type TriggerRules } from './trigger-rules.ts';
import { type TriggerHost, TriggeredRuns } from './trigger-runs.ts';

/** Requests that are longer are refused before they are read as a whole. */
export const MAX_HOOK_BYTES = 1_048_576;
const PATH = /^\/hooks\/(github|linear)$/;

/** What takes signed requests below `/hooks`, and starts runs by the clock. */
export interface TriggerDoor {
  /** Null: the request is of no trigger. */
  readonly fetch: (request: Request) => Promise<Response> | null;
  readonly stop: () => Promise<void>;
}

/**
 * Opens the door for these rules. Throws a `TypeError` where the cron text of a schedule cannot be read.
 */
export function triggerDoor(rules: TriggerRules, host: TriggerHost): TriggerDoor {
  const runs = new TriggeredRuns(host);
  const issues = rules.filter((rule) => rule.source !== 'schedule');
  const clocks = rules.flatMap((rule) =>
    rule.source === 'schedule' ? [scheduleClock(rule, { begin: () => runs.begin(rule), say: host.say })] : [],
  );
  runs
    .takeUp(issues)
    .catch((error: unknown) => host.say(`comments of earlier runs stay as they are: ${messageOf(error)}`));
  return {
    fetch: (request) => {
      const [, source] = PATH.exec(new URL(request.url).pathname) ?? [];
      if (source !== 'github' && source !== 'linear') return null;
      return request.method === 'POST'
        ? taken(request, source, { issues, runs, host })
        : Promise.resolve(said(405, 'POST'));
    },
    stop: async () => {
      for (const clock of clocks) clock.stop();
      await runs.stop();
    },
  };
}

interface Open {
  readonly issues: readonly IssueRule[];
  readonly runs: TriggeredRuns;
  readonly host: TriggerHost;
}

async function taken(request: Request, source: IssueRule['source'], { issues, runs, host }: Open): Promise<Response> {
  const body = await bodyOf(request);
  if (body === null) return said(413, `at most ${MAX_HOOK_BYTES} bytes`);
  const hook: HookRequest = { source, headers: request.headers, body };
  const signed = issues.filter((rule) => rule.source === source && isSignedFor(rule, hook, host));
  if (signed.length === 0) return said(401, 'the signature is of no secret that is known here');
  if (isOld(hook, Date.now())) return said(401, 'its time is more than a minute from the clock of this machine');
  const found = firstFit(signed, eventsIn(hook));
  if (!found) return said(200, 'no rule is about this');
  const [rule, event] = found;
  const about = `${source} ${event.repository} ${event.on}`;
  try {
    const { kind, run } = await runs.start(rule, event, deliveryOf(hook));
    host.say(`${about}: ${kind} ${run}`);
    // Linear takes any other status than 200 for a failure, and sends the request again.
    return said(source === 'linear' ? 200 : 202, `${kind} ${run}`);
  } catch (error) {
    host.say(`${about}: no run: ${messageOf(error)}`);
    return said(422, 'the run could not be started: the server says why');
  }
}

/**
 * The first rule that fits, and its event. A request is about one issue, which has one run: further rules would start
 * another when it comes again after the end of the first.
 */
function firstFit(rules: readonly IssueRule[], events: readonly HookEvent[]): readonly [IssueRule, HookEvent] | null {
  for (const rule of rules) {
    const event = events.find((one) => fits(rule, one));
    if (event) return [rule, event];
  }
  return null;
}

/** Without a secret nothing is believed. */
function isSignedFor(rule: IssueRule, hook: HookRequest, { environment }: TriggerHost): boolean {
  const secret = environment[secretVariableOf(rule)] ?? '';
  return secret !== '' && isSigned(hook, secret);
}

/** Null: it is longer than requests may be. */
async function bodyOf(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_HOOK_BYTES) return null;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_HOOK_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

const said = (status: number, message: string): Response => Response.json({ message }, { status });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
