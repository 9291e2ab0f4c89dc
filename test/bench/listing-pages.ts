import { join } from 'node:path';
import { httpHandler } from '../../src/http/http-handler.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Figure, repeated } from './measure.ts';
import { askingLoops, waitingStore } from './waiting-store.ts';

const RUNS = 10_000;
/** As the page of Studio asks for them. */
const FIRST = 100;
const PAGE = 500;

/** How soon the list of runs of Studio is there, from a server that has read none of them before. */
export async function listingPageFigures(): Promise<Figure[]> {
  const [figures = []] = await repeated(1, measure);
  return figures;
}

async function measure(folder: string): Promise<Figure[]> {
  const path = join(folder, 'log.db');
  await waitingStore(path, folder, RUNS);
  const log = openSqliteLog(path, { synchronous: 'NORMAL' });
  const { fetch } = httpHandler({
    loops: askingLoops(log),
    readOnly: true,
    identify: () => ({ name: 'bench', email: null, isKnown: true }),
  });
  const begun = performance.now();
  let firstMs = Number.NaN;
  let listed = 0;
  for (let before = '', more = 1; more > 0;) {
    const limit = listed === 0 ? FIRST : PAGE;
    const url = `http://localhost/api/runs?limit=${limit}${before && `&before=${before}`}`;
    const response = await fetch(new Request(url, { headers: { authorization: 'Bearer bench' } }));
    const page = (await response.json()) as {
      readonly runs: readonly { readonly run: string }[];
      readonly more: number;
    };
    if (listed === 0) firstMs = performance.now() - begun;
    listed += page.runs.length;
    before = page.runs.at(-1)?.run ?? '';
    ({ more } = page);
  }
  const allMs = performance.now() - begun;
  await log.close();
  if (listed !== RUNS) throw new Error(`${listed} of ${RUNS} runs were listed`);
  return [
    figure(`the newest ${FIRST} of ${RUNS} runs, from a cold start`, firstMs, 1_000),
    figure('all of them by pages', allMs, 5_000),
  ];
}

const figure = (name: string, value: number, atMost: number): Figure => ({
  name,
  value,
  unit: 'ms',
  bound: { atMost },
  absolute: true,
});
