import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from '../repository/tool.ts';
import { SHARED_WITH, withSharedStates } from './shared-states.ts';

// `npm run docs`, before the pages are made: copies what all charts have in common out of the turn chart. A process of
// its own, because the pages are made from the machines that their process loads.
for (const [file, id] of SHARED_WITH) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const fresh = withSharedStates(text, id);
  if (fresh === text) continue;
  writeFileSync(path, fresh);
  runTool('oxfmt', [file], root);
}
