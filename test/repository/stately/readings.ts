import ts from 'typescript';
import type { CatalogueEntry } from '../../../machines/index.ts';
import { nodesOf } from '../../../src/charts/transitions.ts';
import { asWritten, type Chart, chartIn, KINDS, named, type Provided, type Way, type Written } from './chart.ts';
import { extracted } from './extractor.ts';

type Machine = CatalogueEntry['machine'];
type StateNode = Machine['root'];

/** The chart that runs. */
export const running = (machine: Machine): Chart => ({
  id: machine.id,
  version: machine.version,
  places: nodesOf(machine.root).map((node) => ({
    path: node.path.join('.'),
    type: node.type,
    initial: node.type === 'compound' ? (node.initial.target[0]?.key ?? null) : null,
    description: node.description,
    entry: node.entry.map(named),
    exit: node.exit.map(named),
    invokes: node.invoke.map(({ id, src, input }) => ({ id, src, input })),
    delays: node.after.map(({ delay }) => String(delay)),
    ways: waysFrom(node),
  })),
  provided: providedBy(machine.implementations as unknown as Written),
});

const waysFrom = (node: StateNode): Way[] =>
  [...node.transitions.values(), node.always ?? []].flatMap((candidates) =>
    candidates.map(({ eventType, guard, target, actions, reenter, description }, index) => ({
      event: eventType || 'always',
      index,
      guard: guard === undefined ? null : named(guard),
      target: (target ?? []).map(({ path }: StateNode) => path.join('.')),
      actions: actions.map(named),
      reenter,
      description,
    })),
  );

const providedBy = (implementations: Written): Provided => {
  const [actors, guards, actions, delays] = KINDS.map((kind) => Object.keys(asWritten(implementations[kind])));
  return { actors: actors ?? [], guards: guards ?? [], actions: actions ?? [], delays: delays ?? [] };
};

/** The chart as the extractor tells it. */
export const imported = (text: string): Chart =>
  chartIn(asWritten(unwrapped(extracted(text).toConfig())), providedBy(extracted(text).getAllMachineImplementations()));

/** It wraps each action in what it is sure of, and calls a guard by its older name. */
function unwrapped(told: unknown): unknown {
  if (Array.isArray(told)) return told.map(unwrapped);
  if (typeof told !== 'object' || told === null) return told;
  const { kind, action, ...rest } = told as Written;
  if (kind !== undefined && action !== undefined) return action;
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key === 'cond' ? 'guard' : key, unwrapped(value)]),
  );
}

/** What the extractor does not tell of any chart. */
export const withoutWhatIsNotTold = ({ id, places }: Chart): unknown => ({
  id,
  places: places.map(({ invokes, ways, ...place }) => ({
    ...place,
    invokes: invokes.map(({ input: _input, ...invoke }) => invoke),
    ways: ways.map(({ reenter: _reenter, ...way }) => way),
  })),
});

/** The chart that stands in a source, to its last literal. Whatever is no literal is not seen. */
export function written(text: string): Chart {
  const source = ts.createSourceFile('machine.ts', text, ts.ScriptTarget.Latest, true);
  const charts = callsIn(source).filter(({ expression }) => expression.getText().endsWith('.createMachine'));
  const [call, ...others] = charts;
  if (!call || others.length > 0) throw new Error('expected a source with exactly one chart');
  const setup = ts.isPropertyAccessExpression(call.expression) ? call.expression.expression : call.expression;
  const parts = ts.isCallExpression(setup) ? membersOf(setup.arguments[0]) : new Map<string, ts.Expression>();
  const names = Object.fromEntries(KINDS.map((kind) => [kind, Object.fromEntries(membersOf(parts.get(kind)))]));
  return chartIn(asWritten(literal(call.arguments[0])), providedBy(names));
}

const callsIn = (node: ts.Node): ts.CallExpression[] => {
  const found: ts.CallExpression[] = ts.isCallExpression(node) ? [node] : [];
  ts.forEachChild(node, (child) => void found.push(...callsIn(child)));
  return found;
};

function membersOf(node: ts.Node | undefined): Map<string, ts.Expression> {
  if (!node || !ts.isObjectLiteralExpression(node)) return new Map();
  const members = node.properties.flatMap((member) => {
    const isPlain = ts.isPropertyAssignment(member) && !ts.isComputedPropertyName(member.name);
    return isPlain ? [[nameOf(member.name), member.initializer] as const] : [];
  });
  return new Map(members);
}

const nameOf = (name: ts.PropertyName): string => (ts.isStringLiteral(name) ? name.text : name.getText());

function literal(node: ts.Node | undefined): unknown {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(literal);
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  return Object.fromEntries([...membersOf(node)].map(([name, value]) => [name, literal(value)]));
}
