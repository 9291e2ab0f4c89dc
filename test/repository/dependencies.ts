import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from './tool.ts';

const Versions = z.record(z.string(), z.string());

const Manifest = z.object({ version: z.string(), dependencies: Versions, devDependencies: Versions });

const Lockfile = z.object({
  version: z.string(),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      dependencies: Versions.optional(),
      devDependencies: Versions.optional(),
    }),
  ),
});

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

export const manifest = Manifest.parse(read('package.json'));
export const lockfile = Lockfile.parse(read('package-lock.json'));

/** Every package this project names itself, with the version it asks for. */
export const declared: Readonly<Record<string, string>> = { ...manifest.dependencies, ...manifest.devDependencies };

/** The versions alone: a package under another name is asked for as `npm:NAME@VERSION`. */
export const declaredVersions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(declared).map(([name, version]) => [name, version.slice(version.lastIndexOf('@') + 1)]),
);
