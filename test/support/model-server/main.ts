import { readFile } from 'node:fs/promises';
import { modelServer } from './server.ts';

/**
 * `node test/support/model-server/main.ts SCRIPT.json [PORT]`: the first line says where, `GET /_count` what was
 * served.
 */
const [file, port = '0'] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: main.ts SCRIPT.json [PORT]');
const { url } = await modelServer(JSON.parse(await readFile(file, 'utf8')), Number(port));
process.stdout.write(`${JSON.stringify({ url })}\n`);
