// A process of its own that answers the only question of the only tree of runs in a folder, and may be told to kill
// itself. It says what came of it.
import { join } from 'node:path';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { type Kill, killing } from './killing.ts';

const [folder = '', text = '', kill = 'null'] = process.argv.slice(2);
const opened = openSqliteLog(join(folder, 'log.db'));
const { log } = killing(opened, JSON.parse(kill) as Kill | null);
const [root] = await log.runs();
const heard = await new Loops({ log }).answer(root?.run ?? '', { text });
await opened.close();
process.stdout.write(JSON.stringify(heard));
