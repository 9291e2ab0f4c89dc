import { objectIn } from './key-grounds.ts';
import { scriptIn } from './package-manifest.ts';

/** Scripts by which projects make what they need and git does not keep, the likeliest first. */
const SCRIPTS = ['build', 'prepare'];
/** Scripts called `prepare` that make nothing: they set up hooks of git. */
const HOOKS = /^\s*(?:husky|lefthook|simple-git-hooks|is-ci|patch-package)\b/;

/** The command by which a project makes what git does not keep. Null: its manifest has no such script. */
export function buildIn(manifest: string): string | null {
  const scripts = objectIn(manifest);
  const script = SCRIPTS.find((name) => !HOOKS.test(scriptIn(scripts, name) ?? 'husky'));
  return script === undefined ? null : `npm run ${script}`;
}
