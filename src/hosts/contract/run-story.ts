import type { Log } from '../../log/log.ts';

export interface Recorded {
  readonly type: string;
  readonly payload: unknown;
}

/** Resolves when a run has recorded so many events of a type. Throws where it ends before. */
export async function recorded(log: Log, run: string, type: string, count = 1): Promise<void> {
  const over = new AbortController();
  let found = 0;
  while (!(await log.run(run))) await log.stirred(over.signal, LOOK_MS);
  for await (const event of log.follow(run, { signal: over.signal })) {
    if (event.type === type) found += 1;
    if (found === count) over.abort();
  }
  if (found < count) throw new TypeError(`run ${run} has ended with ${found} of ${count} ${type}`);
}

const LOOK_MS = 50;

/** Resolves when a run has ended, with everything that was decided in its tree. */
export async function story(log: Log, run: string): Promise<readonly string[]> {
  const over = new AbortController();
  while (!(await log.run(run))) await log.stirred(over.signal, LOOK_MS);
  const whole = log.follow(run, { signal: over.signal })[Symbol.asyncIterator]();
  while (!(await whole.next()).done);
  const told: string[] = [];
  for (const { run: one, closed } of await log.tree(run)) {
    const depth = one === run ? '' : '  ';
    for await (const page of log.pages(one))
      told.push(...page.flatMap((event) => lineOf(event).map((line) => depth + line)));
    told.push(`${depth}${closed ?? 'open'}`);
  }
  return told;
}

/** What was decided, and what it rested on: nothing that depends on a clock, or on who carried it out. */
export function lineOf({ type, payload }: Recorded): readonly string[] {
  const { action, reason, passed, text, outcome } = Object(payload) as Readonly<Record<string, unknown>>;
  switch (type) {
    case 'decision.made':
      return [`${String(action)}: ${String(reason)}`];
    case 'verification.completed':
      return [`verified: ${String(passed ?? '')}`];
    case 'run.steered':
      return [`steered: ${String(text)}`];
    case 'person.answered': {
      const { answer, access } = Object(payload);
      return [access ? `granted: ${access.granted}` : `answered: ${answer}`];
    }
    case 'child.settled':
      return [`settled: ${String(Object(outcome).ending)}`];
    case 'abort.requested':
      return [`abort: ${String(Object(payload).cause)}`];
    default:
      return [];
  }
}
