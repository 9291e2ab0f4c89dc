import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../repository/tool.ts';

const copies = new Map<string, string>();

/** Installs packages that this repository has in a project without any, with all that they need. */
export async function copyPackages(names: readonly string[], project: string): Promise<void> {
  if (names.length === 0) return;
  const copy = copies.get(names.join()) ?? (await mkdtemp(join(tmpdir(), 'packages-')));
  if (!copies.has(names.join())) {
    for (const path of closure(names)) {
      await cp(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true });
    }
    copies.set(names.join(), copy);
  }
  // Packages are only read, so a second project links to the same files.
  execFileSync('cp', ['-al', join(copy, 'node_modules'), project]);
}

/** The folders of packages at the top. What only one of them needs lies within it. */
function closure(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const path = `node_modules/${name}`;
    if (found.has(path) || !existsSync(join(root, path))) continue;
    found.add(path);
    const within = globSync('node_modules/{*,@*/*}/package.json', { cwd: join(root, path) });
    open.push(...['package.json', ...within].flatMap((file) => neededBy(join(root, path, file))));
  }
  return found;
}

const Needs = z.record(z.string(), z.string()).default({});
const Package = z.object({ dependencies: Needs, optionalDependencies: Needs, peerDependencies: Needs });

function neededBy(file: string): readonly string[] {
  const needs = Package.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.keys({ ...needs.dependencies, ...needs.optionalDependencies, ...needs.peerDependencies });
}
