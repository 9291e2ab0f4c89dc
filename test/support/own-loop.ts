import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/tool.ts';

const EXAMPLE = join(root, 'docs', 'examples', 'own-loop');

/** The modules of the example, by the path in a folder that is to have them: `loops/reviewed.loop.ts`. */
export const ownLoopFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(EXAMPLE)
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => [`loops/${name}`, readFileSync(join(EXAMPLE, name), 'utf8')]),
  );
