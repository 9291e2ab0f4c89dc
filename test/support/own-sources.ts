import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Examples say what a user would say, and get the sources: by the names of this package, the longer ones first. */
export const OWN_SOURCES: Readonly<Record<string, string>> = {
  'loopfold/kernel': join(root, 'src/kernel/index.ts'),
  'loopfold/machines': join(root, 'machines/public.ts'),
  'loopfold/ralph': join(root, 'src/ralph/index.ts'),
  'loopfold/restate': join(root, 'src/hosts/restate/index.ts'),
  'loopfold/testing': join(root, 'src/testing/index.ts'),
  loopfold: join(root, 'src/index.ts'),
};
