// A process that executes one effect of a run, and appends what it records to a file. It is killed where its last
// argument says: `rename 2`, before the second file of the workspace is put in its place; or `baseline.taken`, after
// that event was recorded.
import fs, { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { oneProcess } from './one-process.ts';

const [given = '', actor = '', recorded = '', until = ''] = process.argv.slice(2);
const [call, nth] = until.split(' ');
const kill = () => process.kill(process.pid, 'SIGKILL');

if (call === 'rename') {
  const original = fs.promises.rename;
  let calls = 0;
  fs.promises.rename = (...paths) => {
    // Only there, paths are bytes.
    if (Buffer.isBuffer(paths[0]) && ++calls === Number(nth)) kill();
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
