// A process of its own that keeps runs in the log of a folder, and says when all of them are out of memory.
import { join } from 'node:path';
import { KeptRuns } from '../../../../src/app/kept/run-cache.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { ask, office } from '../office.ts';

const [folder = '', count = '1'] = process.argv.slice(2);
const log = openSqliteLog(join(folder, 'log.db'));
const asking = office({ answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] }, { log });
const kept = new KeptRuns(asking.loops(), { leaveAfterMs: 0 });
for (let n = 0; n < Number(count); n += 1) kept.keep(await asking.start({ directory: folder }));
const said = setInterval(() => {
  if (kept.size.away < Number(count)) return;
  clearInterval(said);
  process.stdout.write('away\n');
}, 50);
