import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

/** Members of a state that no compiled machine has, and what they are called in a reason. */
const UNKNOWN_MEMBERS: Readonly<Record<string, string>> = {
  after: 'delayed transitions',
  onDone: 'transitions that its end takes',
  output: 'an output',
  route: 'a route',
};
/** Of a child that a state invokes. Its answers are recorded events of their own, and never these. */
const UNKNOWN_OF_CHILDREN = ['onDone', 'onError', 'onSnapshot', 'systemId'];

/** The first part of a machine that the compiler does not know, as a clause: `tools is a parallel state`. */
export function unknownPartOf({ root }: AnyStateMachine): string | null {
  if (root.type !== 'compound') return `its root is ${withArticle(root.type)} state`;
  for (const node of nodesOf(root)) {
    const part = unknownIn(node, root);
    if (part !== null) return `${node.path.join('.') || 'its root'} ${part}`;
  }
  return null;
}

/** A state and all states in it, in the order of the chart. */
export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];

function unknownIn(node: AnyStateNode, root: AnyStateNode): string | null {
  if (node.type === 'parallel' || node.type === 'history') return `is ${withArticle(node.type)} state`;
  if (node.type === 'final' && node.parent !== root) return 'is an ending inside of a state';
  const config = node.config as Readonly<Record<string, unknown>>;
  const member = Object.keys(UNKNOWN_MEMBERS).find((name) => config[name] !== undefined);
  if (member !== undefined) return `has ${UNKNOWN_MEMBERS[member]}`;
  const ofChild = node.invoke.find((child) => UNKNOWN_OF_CHILDREN.some((name) => child[name as never] !== undefined));
  if (ofChild) return `invokes ${ofChild.id} with ${UNKNOWN_OF_CHILDREN.join(', ')} or any of them`;
  for (const [type, definitions] of node.transitions) {
    if (type.includes('*') || type.startsWith('xstate.')) return `takes ${type}`;
    const part = unknownAmong(definitions, root);
    if (part !== null) return `on ${type} ${part}`;
  }
  return unknownAmong(node.always ?? [], root);
}

function unknownAmong(definitions: readonly AnyTransitionDefinition[], root: AnyStateNode): string | null {
  for (const { source, target, reenter } of definitions) {
    if (!target) continue;
    if (target.length > 1) return 'goes to several states';
    if (target[0] === root || (reenter && source === root)) return 'enters its root again';
  }
  return null;
}

const withArticle = (type: string): string => (type === 'atomic' ? 'an atomic' : `a ${type}`);
