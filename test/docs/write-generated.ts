import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/tool.ts';
import { pages } from './examples.ts';
import { regenerated } from './generated.ts';

// `npm run docs`: writes what the pages take from the code.
for (const [file, text] of pages()) {
  const fresh = regenerated(text);
  if (fresh !== text) writeFileSync(join(root, file), fresh);
}
