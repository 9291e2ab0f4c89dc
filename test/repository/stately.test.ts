import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { trackedTree } from './tree.ts';

/** The keys that Stately documents, and no other: it ignores what it does not know. */
const Config = z.strictObject({
  $schema: z.url(),
  version: z.literal('1.0.0'),
  projectId: z.string().optional(),
  studioUrl: z.url().optional(),
  defaultXStateVersion: z.literal(5),
  include: z.array(z.string()).nonempty(),
  exclude: z.array(z.string()).optional(),
  newMachinesDir: z.enum(['machines', '.']),
});

test.each([
  ['stately.config.json', ''],
  ['machines/statelyai.json', 'machines/'],
])('Stately is shown every machine of today, and nothing else, by %s', (file, folder) => {
  const tree = trackedTree();
  const config = Config.parse(JSON.parse(tree.get(file) ?? ''));
  const { include, exclude = [] } = config;
  const within = (globs: readonly string[], path: string) => globs.some((glob) => matchesGlob(path, folder + glob));
  const shown = [...tree.keys()].filter((path) => within(include, path) && !within(exclude, path));
  const machines = [...tree].filter(
    ([path, text]) => /^machines\/[^/]+$/.test(path) && text.includes('.createMachine('),
  );
  expect(machines.length).toBeGreaterThanOrEqual(1);
  expect(shown).toEqual(machines.map(([path]) => path));
});
