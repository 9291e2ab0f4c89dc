import * as restate from '@restatedev/restate-sdk';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { restateLoops } from '../../../src/hosts/restate/restate-loops.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';

// A service of loops: the port, the log, the folder and the script are its words. It says when it listens.

const [port = '', store = '', directory = '', script = ''] = process.argv.slice(2);
const loops = await restateLoops({
  log: openSqliteLog(store),
  model: scriptedModel(JSON.parse(script)),
  warn: () => {},
  run: { directory, sandbox: 'off' },
});
await restate.serve({ services: [loops], port: Number(port) });
process.stdout.write('listening\n');
