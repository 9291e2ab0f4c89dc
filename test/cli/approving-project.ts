import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../repository/tool.ts';
import { ownLoopFiles } from '../support/own-loop.ts';
import { folder, MODEL, project } from './program.ts';

const SCRIPT = { attempts: Array.from({ length: 3 }, () => ({ answers: [{ text: 'Done.' }] })) };
export const APPROVING = 'loops/approving.loop.ts';

/** A project whose loop needs an approval; its module is trusted here. */
export async function approving() {
  const source = await readFile(join(root, 'test/support/approving-loop.ts'), 'utf8');
  const code = source.replace('../../docs/examples/own-loop/', './');
  const cwd = await project(SCRIPT, { ...ownLoopFiles(), [APPROVING]: code });
  const env = { XDG_CONFIG_HOME: await folder() };
  const words = ['run', 'x', ...MODEL, '--loop', `./${APPROVING}`, '--verify', 'true', '--check-in', 'workspace'];
  return { cwd, how: { cwd, env }, words };
}
