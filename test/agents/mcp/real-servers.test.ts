import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GivenForm } from '../../../machines/server-question.ts';
import type { McpServerSpec } from '../../../src/agents/mcp/server-spec.ts';
import { filledForm } from '../../../src/prompt/answer-form.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { asking, called, questionIn, saidBy, started } from './started.ts';

/** The folder with `node_modules` of the servers: `npm i --prefix FOLDER @modelcontextprotocol/server-everything`. */
const FOLDER = process.env['MCP_SERVERS'] ?? '';
const program = (name: string) => join(FOLDER, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
const isMissing = FOLDER === '' || !['filesystem', 'everything', 'memory'].every((name) => existsSync(program(name)));
const left = isMissing ? ', left out: MCP_SERVERS names no folder that has them' : '';

const real = (name: string, args: readonly string[] = [], env = {}): McpServerSpec => ({
  name,
  isOfWorkspace: false,
  at: { command: process.execPath, args: [program(name), ...args], env },
});

describe.skipIf(isMissing)(`servers of the project of the protocol${left}`, () => {
  test('X10 the servers for files and for memory work as they are', async () => {
    const place = await temporaryFolder();
    await writeFile(join(place, 'a.txt'), 'hello');
    const memory = { MEMORY_FILE_PATH: join(place, 'memory.json') };
    const servers = await started([real('filesystem', [place]), real('memory', [], memory)], place);
    expect(servers.warnings).toEqual([]);
    expect(saidBy(await called(servers, 'filesystem__read_text_file', { path: join(place, 'a.txt') }))).toBe('hello');
    expect(saidBy(await called(servers, 'filesystem__read_text_file', { path: '/etc/passwd' }))).toContain('outside');
    expect(saidBy(await called(servers, 'memory__read_graph'))).toContain('"entities": []');
  });

  test('X10 the server of everything shows progress, pictures and structured content, and asks a person', async () => {
    const servers = await started([real('everything')]);
    expect(saidBy(await called(servers, 'everything__get-tiny-image'))).toMatch(/\[image, image\/png, 4033 bytes, in /);
    const weather = await called(servers, 'everything__get-structured-content', { location: 'New York' });
    expect(saidBy(weather)).toContain('"conditions":"Cloudy"');
    const elicits = 'everything__trigger-elicitation-request';
    const asked = questionIn(await called(servers, elicits, {}, undefined, asking()));
    const answers = [filledForm(asked, 'name: Ada\ncheck: yes\ninteger: 42') as GivenForm];
    expect(saidBy(await called(servers, elicits, {}, undefined, asking(answers)))).toContain('"name": "Ada"');
  });
});
