import { z } from 'zod';
import type { Json } from '../log/envelope.ts';
import { doubledName } from '../text/double-name.ts';
import { jsonIn } from '../text/json-in.ts';
import type { Damaged } from './replay-run.ts';
import type { Recording } from './recording.ts';
import { brokenLine, isVerifiable } from './verify-lines.ts';

const Heading = z.looseObject({
  about: z.string(),
  runs: z
    .array(
      z.object({
        run: z.string(),
        parentEffect: z.string().nullable(),
        forkedFrom: z.object({ run: z.string(), version: z.int().positive() }).nullable(),
        closed: z.string().nullable(),
      }),
    )
    .min(1),
  /** The members of a machine's context that the digests cover. */
  fields: z.record(z.string(), z.array(z.string()).readonly()),
});

const Line = z.looseObject({
  run: z.string(),
  version: z.int().positive(),
  type: z.string(),
  schema: z.int().positive(),
  payload: z.custom<Json>((value) => value !== undefined),
  at: z.iso.datetime({ precision: 3 }),
  causation: z.string().nullable(),
  mark: z.string().nullable().optional(),
  state: z.string().optional(),
  epoch: z.int().nonnegative().optional(),
  hash: z.string().optional(),
  salt: z.string().nullable().optional(),
  digest: z.string().optional(),
});

/** A file of recorded runs: a header line, and a line for each event. */
export interface History extends z.infer<typeof Heading> {
  readonly lines: readonly Line[];
}
export type Line = z.infer<typeof Line>;

export type ReadHistory =
  | { readonly kind: 'history'; readonly history: History; readonly recordings: readonly (Recording | Unreadable)[] }
  | { readonly kind: 'malformed'; readonly line: number; readonly because: string };

/** A run of a history with missing events. */
export type Unreadable = Damaged & { readonly run: string };

/**
 * Reads runs from JSON lines: those of a history with its heading, or the envelopes of one run as `loopfold events RUN
 * --json` prints them, a shared prefix included.
 *
 * @example
 * const read = readHistory(await readFile('test/histories/turn-success.jsonl', 'utf8'));
 * if (read.kind === 'history') for (const recording of read.recordings) console.log(await replay(recording));
 */
export function readHistory(text: string): ReadHistory {
  const rows = text
    .split('\n')
    .map((row, index) => ({ row, line: index + 1 }))
    .filter(({ row }) => row.trim() !== '');
  const [first] = rows;
  if (!first) return { kind: 'malformed', line: 1, because: 'it is empty' };
  const heading = read(Heading, first.row);
  const lines: Line[] = [];
  for (const { row, line } of heading.kind === 'read' ? rows.slice(1) : rows) {
    const event = read(Line, row);
    if (event.kind === 'wrong')
      return { kind: 'malformed', line, because: line === first.line ? headless(event, heading) : event.because };
    if (heading.kind === 'read' && !heading.value.runs.some(({ run }) => run === event.value.run)) {
      return { kind: 'malformed', line, because: `its run ${event.value.run} is not in the heading` };
    }
    lines.push(event.value);
  }
  const history = heading.kind === 'read' ? { ...heading.value, lines } : headed(lines);
  return {
    kind: 'history',
    history,
    recordings: history.runs.map(({ run }) => recordingOf(history, run, heading.kind === 'read')),
  };
}

type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'wrong'; readonly because: string };

function read<Value>(schema: z.ZodType<Value>, row: string): Read<Value> {
  const json = jsonIn(row);
  if (json === undefined) return { kind: 'wrong', because: 'it is not JSON' };
  // A line as it was printed has no name twice.
  const doubled = JSON.stringify(json) === row ? null : doubledName(row);
  if (doubled !== null) return { kind: 'wrong', because: `it has the name ${JSON.stringify(doubled)} twice` };
  const result = schema.safeParse(json);
  if (result.success) return { kind: 'read', value: result.data };
  const [issue] = result.error.issues;
  return {
    kind: 'wrong',
    because: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it does not fit'}`.replace(/^: /, ''),
  };
}

const headless = (event: { readonly because: string }, heading: Read<unknown>): string =>
  heading.kind === 'wrong' && heading.because === event.because
    ? event.because
    : `neither an event (${event.because}) nor the heading of a history`;

/** Envelopes without a header are one run, the one that wrote the last of them. Its ending is unknown. */
const headed = (lines: readonly Line[]): History => ({
  about: '',
  runs: [{ run: lines.at(-1)?.run ?? '', parentEffect: null, forkedFrom: null, closed: null }],
  fields: {},
  lines,
});

function recordingOf(history: History, run: string, hasHeading: boolean): Recording | Unreadable {
  if (!hasHeading) {
    const isVerified = isVerifiable(history.lines);
    const broken = isVerified ? brokenLine(history.lines) : null;
    return broken ? { run, ...broken } : { run, events: history.lines, isVerified };
  }
  const events = eventsOf(history, run);
  if (!events) return { kind: 'damaged', run, version: 1, reason: 'it continues a run that is not in this file' };
  return { run, events, closed: history.runs.find((one) => one.run === run)?.closed ?? null, fields: history.fields };
}

/**
 * The events of a run; a fork includes those of its prefix. Null where a run that it continues is not in the history.
 */
export function eventsOf(history: History, run: string, behind: readonly string[] = []): Line[] | null {
  const known = history.runs.find((one) => one.run === run);
  if (!known || behind.includes(run)) return null;
  const own = history.lines.filter((line) => line.run === run);
  if (!known.forkedFrom) return own;
  const prefix = eventsOf(history, known.forkedFrom.run, [...behind, run]);
  return prefix && [...prefix.slice(0, known.forkedFrom.version), ...own];
}
