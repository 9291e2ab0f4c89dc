import { git, type GitCall } from './git.ts';
import { inputOf } from './git-names.ts';

/** How git is told to merge a path, by its attribute `merge`. */
export type MergeDriver =
  | { readonly kind: 'text' | 'union' | 'binary' }
  /** Another one is a command of the user's configuration. */
  | { readonly kind: 'command'; readonly name: string };

/** The driver of a path in the worktree as it is. `name`: as in `TreeChange`. */
export async function mergeDriver(name: string, call: GitCall): Promise<MergeDriver> {
  const said = await git(['check-attr', '-z', '--stdin', 'merge'], { ...call, input: inputOf([name]) });
  const [, , value = ''] = Buffer.from(said).toString().split('\0');
  switch (value) {
    case '':
    case 'unspecified':
    case 'set':
    case 'text':
      return { kind: 'text' };
    case 'union':
      return { kind: 'union' };
    case 'unset':
    case 'binary':
      return { kind: 'binary' };
    default:
      return { kind: 'command', name: value };
  }
}
