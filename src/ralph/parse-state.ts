import { isMap, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';
import { head } from '../text/excerpt.ts';
import { nearest } from '../text/nearest.ts';
import { statePartsOf } from './front-text.ts';
import { RalphState } from './ralph-state.ts';

/** A value that stands in the front matter of the state file; the prompt is the text below it. */
export type StateField = Exclude<keyof RalphState, 'originalPrompt'>;

/** The keys of the state file, in the order in which they are written. */
const STATE_KEYS: readonly (readonly [key: string, field: StateField])[] = [
  ['active', 'active'],
  ['iteration', 'iteration'],
  ['max_iterations', 'maxIterations'],
  ['completion_promise', 'completionPromise'],
  ['started_at', 'startedAt'],
  ['session_id', 'sessionId'],
  ['deactivated_reason', 'deactivatedReason'],
];

/** Keys of other programs that mean the same. Read, never written. */
const READ_KEYS: readonly (readonly [key: string, field: StateField])[] = [['linear_agent_session_id', 'sessionId']];

/** What may be missing, and what it is then. */
const ABSENT: Partial<RalphState> = { sessionId: null };
const MAY_BE_ABSENT: readonly StateField[] = ['sessionId', 'deactivatedReason'];

/**
 * The text of a state file: YAML between two lines `---`, an empty line, and the prompt as it was given.
 * `parseRalphState` returns the same state.
 *
 * @example
 * formatRalphState(state);
 * // ---
 * // active: true
 * // iteration: 2
 * // …
 * // ---
 * //
 * // Make the tests pass.
 */
export function formatRalphState(state: RalphState): string {
  const lines = STATE_KEYS.flatMap(([key, field]) => {
    const value = state[field];
    return value === undefined ? [] : [`${key}: ${scalar(value)}`];
  });
  return ['---', ...lines, '---', '', state.originalPrompt, ''].join('\n');
}

/** JSON is YAML, but for characters that YAML takes for the end of a line or does not print. */
const scalar = (value: string | number | boolean | null): string =>
  JSON.stringify(value).replace(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A state file as it was read. `line` counts from 1, `reason` says what is expected there. */
export type ParsedState =
  | { readonly kind: 'state'; readonly state: RalphState }
  | { readonly kind: 'damaged'; readonly line: number; readonly reason: string };

const SHOWN_CHARACTERS = 60;
const FIELDS: ReadonlyMap<string, StateField> = new Map([...STATE_KEYS, ...READ_KEYS]);

const damaged = (line: number, reason: string): ParsedState & { kind: 'damaged' } => ({
  kind: 'damaged',
  line,
  reason,
});

/**
 * Reads the text of a state file. Nothing in it is evaluated. A file that is not what `formatRalphState` could have
 * written, or an edit that means nothing, is `damaged`, with the line and what is expected there.
 *
 * @example
 * const read = parseRalphState(text);
 * if (read.kind === 'damaged') console.error(`line ${read.line}: ${read.reason}`);
 */
export function parseRalphState(text: string): ParsedState {
  const parts = statePartsOf(text);
  if (parts.kind === 'damaged') return parts;
  const { yaml, closingLine, body } = parts;
  const read = valuesIn(yaml);
  if (read.kind === 'damaged') return read;
  const missing = STATE_KEYS.find(([, field]) => !read.values.has(field) && !MAY_BE_ABSENT.includes(field));
  if (missing) return damaged(closingLine, `${missing[0]} is missing: expected ${expectedOf(missing[1], undefined)}`);
  const state = { ...ABSENT, ...Object.fromEntries(read.values), originalPrompt: body };
  const parsed = RalphState.safeParse(state);
  if (parsed.success) return { kind: 'state', state: parsed.data };
  return damaged(closingLine + 1, `below the second ---: expected ${parsed.error.issues[0]?.message}`);
}

type Values =
  | { readonly kind: 'values'; readonly values: ReadonlyMap<StateField, unknown> }
  | (ParsedState & { readonly kind: 'damaged' });

/** The values of the front matter, each valid by itself. Its first line is the second of the file. */
function valuesIn(yaml: string): Values {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line + 1;
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) return damaged(lineAt(fault.pos[0]), `expected YAML such as "active: true": ${fault.message}`);
  if (!isMap(document.contents)) return damaged(2, 'expected lines such as "active: true"');
  const values = new Map<StateField, unknown>();
  for (const pair of document.contents.items) {
    const line = lineAt(offsetOf(pair));
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const field = FIELDS.get(key);
    if (field === undefined) return damaged(line, unknownKey(key));
    const value = scalarOf(pair.value);
    const expected = expectedOf(field, value);
    if (expected !== null) return damaged(line, `${key}: expected ${expected}, found ${shown(value)}`);
    if (key !== 'linear_agent_session_id' || !values.has(field)) values.set(field, value);
  }
  return { kind: 'values', values };
}

/** The value of a key. An alias or a list is no value of any key: as undefined it meets no schema. */
function scalarOf(node: unknown): unknown {
  if (node === null) return null;
  return isScalar(node) ? node.value : undefined;
}

const offsetOf = ({ key }: Pair): number => (isScalar(key) ? (key.range?.[0] ?? 0) : 0);

/** What a value should have been; null where it is valid. */
function expectedOf(field: StateField, value: unknown): string | null {
  const parsed = RalphState.shape[field].safeParse(value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'another value');
}

function unknownKey(key: string): string {
  const known = STATE_KEYS.map(([name]) => name);
  const meant = nearest(key, known);
  const hint = meant === null ? '' : `. Did you mean ${meant}?`;
  return `expected one of ${known.join(', ')}, found ${shown(key)}${hint}`;
}

const shown = (value: unknown): string =>
  value === undefined ? 'a structure' : head(JSON.stringify(value), SHOWN_CHARACTERS);
