import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { declared, declaredVersions, lockfile, manifest } from './dependencies.ts';
import { root } from './tool.ts';

const { '': own, ...installed } = lockfile.packages;

const Versioned = z.object({ version: z.string() });

test('every version asked for is exact', () => {
  const loose = Object.entries(declared).filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version));
  expect(loose).toEqual([]);
});

test('the lockfile was made from this package.json', () => {
  expect(lockfile.version).toBe(manifest.version);
  expect(own).toMatchObject({ dependencies: manifest.dependencies, devDependencies: manifest.devDependencies });
  const locked = Object.keys(declared).map((name) => [name, installed[`node_modules/${name}`]?.version]);
  expect(Object.fromEntries(locked)).toEqual(declaredVersions);
});

test('the lockfile pins content, not the address it came from', () => {
  const entries = Object.entries(installed);
  expect(entries.length).toBeGreaterThan(Object.keys(declared).length);
  expect(entries.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('what is installed is what is locked', () => {
  const present = Object.keys(declared).map((name) => {
    const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
    return [name, Versioned.parse(JSON.parse(text)).version];
  });
  expect(Object.fromEntries(present)).toEqual(declaredVersions);
});

test('every dependency has a line that says what it is for, and nothing else has', () => {
  const record = readFileSync(join(root, 'docs', 'decisions', '0019-dependencies.md'), 'utf8');
  const explained = [...record.matchAll(/^\| `([^`]+)` \| .{10,} \|$/gm)].map(([, name]) => name);
  expect(explained.toSorted()).toEqual(Object.keys(declared).toSorted());
});
