// A process that executes one effect of a run, and appends what it records to a file. It is killed where its last
// argument says: `rename 2`, before the second file of the workspace is put in its place; `record 2`, before the record
// of a worktree is written for the second time; or `baseline.taken`, after that event was recorded.
import fs, { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { oneProcess } from './one-process.ts';

const [given = '', actor = '', recorded = '', until = ''] = process.argv.slice(2);
const [call, nth] = until.split(' ');
const kill = () => process.kill(process.pid, 'SIGKILL');

if (call === 'rename' || call === 'record') {
  const original = fs.promises.rename;
  let calls = 0;
  fs.promises.rename = (...paths) => {
    // Only in the workspace, paths are bytes.
    const isThat = call === 'rename' ? Buffer.isBuffer(paths[0]) : String(paths[1]).endsWith('.json');
    if (isThat && ++calls === Number(nth)) kill();
    return original(...paths);
  };
  syncBuiltinESMExports();
}
const { settings, store, facts } = JSON.parse(readFileSync(given, 'utf8'));
await oneProcess(settings, store, facts).run(actor, {
  on: (event) => {
    appendFileSync(recorded, `${JSON.stringify(event)}\n`);
    if (event.type === until) kill();
  },
});
process.exit(0);
