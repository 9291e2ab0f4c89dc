import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../repository/tool.ts';

const Paths = z.looseObject({ include: z.array(z.string()), exclude: z.array(z.string()), newMachinesDir: z.string() });

/**
 * The text of `machines/statelyai.json`, which Stately's command line reads where it is started: what
 * `stately.config.json` says, seen from that folder.
 */
export async function statelyFile(): Promise<string> {
  const config = Paths.parse(JSON.parse(readFileSync(join(root, 'stately.config.json'), 'utf8')));
  const within = (path: string) => path.replace(/^machines\/?/, '') || '.';
  const { include, exclude, newMachinesDir } = config;
  const seen = { include: include.map(within), exclude: exclude.map(within), newMachinesDir: within(newMachinesDir) };
  return `${JSON.stringify({ ...config, ...seen }, null, 2)}\n`;
}
