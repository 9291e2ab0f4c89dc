import { join, posix, relative, sep } from 'node:path';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { listFiles } from '../../../git/listed-files.ts';
import { boundedStart } from '../../../config/bounded-read.ts';
import { namedFile } from '../../../evidence/control/test-file.ts';
import { filesToShow } from '../planning/planner-files.ts';
import type { ShownFile, ShownRepository } from '../planning/plan-prompt.ts';
import type { EffectRequest } from '../../shared/effect.ts';

const MAX_FILE_BYTES = 5_000;
const MAX_EXAMPLE_BYTES = 4_000;

/** What the planner of an acceptance test is shown of the head: bounded, so that its prompt fits into its share. */
export async function shownRepository(
  discovery: Discovery,
  { context, memory }: EffectRequest,
  signal: AbortSignal,
): Promise<Omit<ShownRepository, 'refused'>> {
  const { directory, isolation } = context.settings;
  const folder = relative(isolation?.top ?? directory, directory)
    .split(sep)
    .join('/');
  const fromHere = (path: string) => posix.relative(folder === '' ? '.' : folder, path);
  const listed = await listFiles({ directory, signal });
  const tested = new Set((memory.baseline?.tests ?? []).flatMap(({ tests }) => tests.map(namedFile)));
  const { files, sources, examples } = filesToShow(discovery, listed.files, [...tested].map(fromHere));
  const read = async (path: string, maxBytes: number): Promise<ShownFile | null> => {
    const start = await boundedStart(join(directory, path), maxBytes);
    return start.kind === 'text' ? { path, text: start.text } : null;
  };
  const shown = await Promise.all(sources.map((path) => read(path, MAX_FILE_BYTES)));
  const [nearest] = examples;
  const example = nearest === undefined ? null : await read(nearest, MAX_EXAMPLE_BYTES);
  return { files, sources: shown.filter((one) => one !== null), example };
}
