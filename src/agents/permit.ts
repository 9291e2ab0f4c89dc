import { isAbsolute, relative, resolve } from 'node:path';
import type { CallKind, PermissionAnswer, PermissionQuestion } from './agent-port.ts';

/** The kinds of work that an agent may do in its workspace without a person, as the tools of loopfold may. */
const PERMITTED: ReadonlySet<CallKind> = new Set([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
] satisfies CallKind[]);

/**
 * Answers a question for permission where no person does: work in the workspace is allowed, anything else is refused.
 * The paths are what the agent says: walls hold it, and not this.
 */
export const permit = ({ kind, paths }: PermissionQuestion, directory: string): PermissionAnswer =>
  PERMITTED.has(kind) && paths.every((path) => isWithin(directory, path)) ? 'allowed' : 'refused';

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, resolve(directory, path));
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
