import { folderOf, joined } from './workspace-paths.ts';

/** The nearest `package.json` of a folder or one above it, from the top. Null: there is none. */
export function packageAbove(folder: string, paths: { readonly has: (path: string) => boolean }): string | null {
  for (let at = folder; ; at = folderOf(at)) {
    const path = joined(at, 'package.json');
    if (path !== null && paths.has(path)) return path;
    if (at === '') return null;
  }
}

/** The text of a script of a manifest. Null: it has no such script. */
export function scriptIn(manifest: Readonly<Record<string, unknown>> | null, name: string): string | null {
  const scripts = manifest?.['scripts'];
  if (typeof scripts !== 'object' || scripts === null || !Object.hasOwn(scripts, name)) return null;
  const script: unknown = Reflect.get(scripts, name);
  return typeof script === 'string' ? script : null;
}
