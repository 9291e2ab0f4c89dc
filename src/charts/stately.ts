import type { CatalogueEntry } from '../../machines/index.ts';

type Machine = CatalogueEntry['machine'];

const LINE_CHARS = 120;
const INDENT = '  ';

/**
 * A machine as source text that stands alone: what Stately's editor imports, and what XState builds to the same chart.
 *
 * States, transitions, names and descriptions are all there. What is behind a name is not: actions and actors do
 * nothing and the context is empty. A guard holds unless the event says otherwise, so that a simulation can rest in
 * every state: `{ type: 'calls.admitted', nothingPending: false }`.
 *
 * @example
 * const pasted = stately(turn);
 */
export function stately({ config, implementations }: Machine): string {
  const { actors, guards, actions } = implementations;
  return [
    "import { fromCallback, setup } from 'xstate';",
    '',
    'const external = fromCallback(() => {});',
    '',
    'export const machine = setup({',
    ...stubs('actors', actors, () => 'external'),
    ...stubs('guards', guards, guardStub),
    ...stubs('actions', actions, () => '() => {}'),
    `}).createMachine(${literal({ ...config, context: {} }, '', '}).createMachine('.length)});`,
  ].join('\n');
}

const guardStub = (name: string): string =>
  `({ event }) => event${keyOf(name) === name ? `.${name}` : `[${quoted(name)}]`} !== false`;

function stubs(kind: string, named: object, stub: (name: string) => string): string[] {
  const lines = Object.keys(named).map((name) => `${INDENT}${INDENT}${keyOf(name)}: ${stub(name)},`);
  return lines.length === 0 ? [] : [`${INDENT}${kind}: {`, ...lines, `${INDENT}},`];
}

/** A value as a literal: on one line where it fits behind what stands there already, else a line for each member. */
function literal(value: unknown, indent: string, taken: number): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = membersOf(value);
  if (members.length === 0) return `${open}${close}`;
  const inner = members.map(({ key, member }) => `${key}${literal(member, '', 0)}`).join(', ');
  const padding = open === '{' ? ' ' : '';
  const whole = `${open}${padding}${inner}${padding}${close}`;
  if (!whole.includes('\n') && taken + whole.length < LINE_CHARS) return whole;
  const deeper = indent + INDENT;
  const lines = members.map(
    ({ key, member }) => `${deeper}${key}${literal(member, deeper, deeper.length + key.length)},`,
  );
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
}

/** What a literal can hold: functions are left out. */
function membersOf(value: object): readonly { readonly key: string; readonly member: unknown }[] {
  const isData = (member: unknown) => member !== undefined && typeof member !== 'function';
  if (Array.isArray(value)) return value.filter(isData).map((member: unknown) => ({ key: '', member }));
  return Object.entries(value).flatMap(([name, member]) =>
    isData(member) ? [{ key: `${keyOf(name)}: `, member }] : [],
  );
}

const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
