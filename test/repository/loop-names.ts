import ts from 'typescript';
import { z } from 'zod';
import type { AnyStateMachine } from 'xstate';
import { groundsFacts, lifeFacts } from '../../machines/events.ts';
import { type LoopDefinition, loopNameOf } from '../../src/kernel/loop-definition.ts';

/** What loops alone may name. */
export interface OwnNames {
  /** Words: `turn` stands in `judgeTurn`, `turn@1` and `turn-ranking.ts`, and not in `return`. */
  readonly loops: ReadonlySet<string>;
  /** Names under which charts start effects, where they are no plain English word: in code and in strings. */
  readonly effects: ReadonlySet<string>;
  /** Keys that results are owed under, and names of effects that are a plain word: as strings. */
  readonly keys: ReadonlySet<string>;
  /** Types of events of a loop's own, and what such types begin with (`step.`): in strings. */
  readonly events: ReadonlySet<string>;
}

export interface FoundName {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** The names of loops, of their effects and of their own events, as their definitions and charts have them. */
export function ownNames(loops: readonly LoopDefinition[]): OwnNames {
  const ofAll = new Set([...lifeFacts, ...groundsFacts].map(typeOf));
  const types = loops.flatMap(({ events }) => typesIn(events));
  const own = types.filter((type) => !ofAll.has(type) && !type.startsWith('child.'));
  const families = new Set(own.map(familyOf).filter((family) => ![...ofAll].some((type) => type.startsWith(family))));
  const effects = loops.flatMap((loop) => Object.keys(loop.effects));
  const started = loops.flatMap(({ machine }) => invokesIn(machine)).filter(({ src }) => src !== 'timer');
  const spawned = loops.flatMap(({ unaccounted = {} }) =>
    Object.values(unaccounted).map((keyOf) => keyOf({ callId: '' } as never)),
  );
  return {
    loops: new Set(loops.map(({ id }) => loopNameOf(id))),
    effects: new Set(effects.filter(isCompound)),
    keys: new Set([...effects.filter((name) => !isCompound(name)), ...started.map(({ id }) => id), ...spawned]),
    events: new Set([...own, ...families]),
  };
}

const isCompound = (name: string): boolean => /[A-Z]/.test(name);
const typeOf = ({ shape }: (typeof lifeFacts | typeof groundsFacts)[number]): string => shape.type.value;
const familyOf = (type: string): string => type.slice(0, type.indexOf('.') + 1);

const Fact = z.object({ properties: z.object({ type: z.object({ const: z.string() }) }) });
const Vocabulary = z.object({ oneOf: z.array(Fact) });

/** The types of the events in a vocabulary. */
const typesIn = (events: z.ZodType): string[] =>
  Vocabulary.parse(z.toJSONSchema(events)).oneOf.map(({ properties }) => properties.type.const);

function invokesIn({ root }: AnyStateMachine): { readonly id: string; readonly src: string }[] {
  type Node = AnyStateMachine['root'];
  const below = (node: Node): Node[] => [node, ...Object.values(node.states).flatMap(below)];
  return below(root).flatMap(({ invoke }) => invoke.map(({ id, src }) => ({ id, src: String(src) })));
}

/**
 * Names that are recorded, or read by programs and typed by users, whichever loop a run has: the members of these
 * schemas, the interfaces of these sources with theirs, and the strings that their types allow.
 */
export function publicNames(schemas: readonly z.ZodType[], sources: readonly string[]): ReadonlySet<string> {
  const how = { io: 'input', unrepresentable: 'any' } as const;
  const members = schemas.flatMap((schema) => membersOf(z.toJSONSchema(schema, how)));
  return new Set([...members, ...sources.flatMap(interfacesIn)]);
}

/** Every key of `properties` in a JSON schema, at any depth. */
function membersOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(Object(value)) : []),
    ...membersOf(value),
  ]);
}

/** The strings that a type allows: a strategy compares what it is told with them. */
const literalsIn = (type: ts.TypeNode): string[] =>
  (ts.isUnionTypeNode(type) ? type.types : [type]).flatMap((one) =>
    ts.isLiteralTypeNode(one) && ts.isStringLiteral(one.literal) ? [one.literal.text] : [],
  );

const nameOf = ({ name }: ts.TypeElement): string[] => (name && ts.isIdentifier(name) ? [name.text] : []);

function interfacesIn(text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node)) names.push(node.name.text, ...node.members.flatMap(nameOf));
    if (ts.isTypeAliasDeclaration(node)) names.push(...literalsIn(node.type));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('interfaces.ts', text, ts.ScriptTarget.Latest));
  return names;
}

/** What stands in code although a loop, an effect or an event has the same name. */
export interface PublicNames {
  /** Recorded names and documents: `maxIterations`, in any code that reads or writes it. */
  readonly names: ReadonlySet<string>;
  /** Fields of `--json`: as members, and not as names of anything else. */
  readonly fields: ReadonlySet<string>;
}

/**
 * Every place in a file, its path included, that names a loop, an effect or a loop's own event, public names excepted.
 */
export function loopNamesIn(file: string, text: string, own: OwnNames, known: PublicNames): FoundName[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundName[] = hasWord(file, own.loops) ? [{ file, line: 0, name: file }] : [];
  const visit = (node: ts.Node): void => {
    if (isNamed(node, own, known)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ file, line, name: node.getText(source) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isNamed(node: ts.Node, own: OwnNames, known: PublicNames): boolean {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return isNamedBy(node, own, known);
  return (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && isSaidIn(node, own, known);
}

function isNamedBy(node: ts.Identifier | ts.PrivateIdentifier, own: OwnNames, { names, fields }: PublicNames): boolean {
  if (names.has(node.text) || (fields.has(node.text) && isMember(node))) return false;
  return own.effects.has(node.text) || hasWord(node.text, own.loops);
}

const isMember = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isPropertySignature(node.parent) && node.parent.name === node) ||
  (ts.isBindingElement(node.parent) && node.parent.propertyName === node);

function isSaidIn(node: ts.LiteralLikeNode, own: OwnNames, { names, fields }: PublicNames): boolean {
  const { text } = node;
  const { loops, effects, keys, events } = own;
  if (fields.has(text) && ts.isIndexedAccessTypeNode(node.parent.parent)) return false;
  if (keys.has(text)) return !names.has(text) || isLookedFor(node);
  const isWhole = ts.isStringLiteralLike(node);
  if (isWhole && (loops.has(text) || effects.has(text) || events.has(text))) return true;
  if (isWhole && names.has(text)) return false;
  // A flag, a label and the name of a file are not the loop that they have the word of.
  const parts = text
    .replaceAll(/--[a-z-]+|ralph-wiggum(-\d+)?|ralph-loop\.local\.md/g, '')
    .split(/[^\w.@-]+/)
    .map((part) => part.replace(/[.]$/, ''));
  return parts.some((part, index) => {
    if (effects.has(part) || events.has(part)) return true;
    return hasWord(part, loops) && !(isCompound(part) && names.has(part)) && !isVerb(parts, index);
  });
}

/** Compared with something that is no option, or taken as a key: in lists and types it is the name of an option. */
function isLookedFor({ parent }: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return parent.left.getText() !== 'option';
  return ts.isCaseClause(parent) || ts.isElementAccessExpression(parent);
}

/** `in turn`, `turn off`. */
const isVerb = (parts: readonly string[], index: number): boolean =>
  parts[index] === 'turn' && (parts[index - 1] === 'in' || PARTICLES.includes(parts[index + 1] ?? ''));
const PARTICLES: readonly string[] = ['on', 'off', 'into', 'out', 'to'];

const hasWord = (name: string, words: ReadonlySet<string>): boolean => wordsOf(name).some((word) => words.has(word));

/** The words of a name, in lower case and singular: of camelCase, kebab-case or snake_case. */
const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''));
