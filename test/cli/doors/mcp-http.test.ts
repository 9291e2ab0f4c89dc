import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { MODEL, Program, project } from '../program.ts';

/** A server of this program over HTTP: its address, and the token that it has printed. */
async function servedOverHttp() {
  const cwd = await project({ answers: [{ text: 'Done.' }] });
  const program = new Program(['mcp', '--port', '0', ...MODEL, '--loop', 'turn'], { cwd });
  onTestFinished(async () => {
    program.signal('SIGTERM');
    expect((await program.ended).status).toBe(143);
  });
  await program.shows('/mcp\n');
  await program.shows('Authorization: Bearer ');
  const { stdout, stderr } = program.shown;
  const [, token = ''] = /Bearer (\S+)/.exec(stderr) ?? [];
  return { url: stdout.trim(), token };
}

test('X11 clients reach the runs over HTTP in both eras, with the token, and by no other way', async () => {
  const { url, token } = await servedOverHttp();
  for (const mode of ['legacy', 'auto'] as const) {
    const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const started = await client.callTool({ name: 'start_run', arguments: { task: 'Say so.' } });
    const { run } = started.structuredContent as { run: string };
    const status = () => client.callTool({ name: 'run_status', arguments: { run, waitSeconds: 45 } });
    await expect
      .poll(async () => (await status()).structuredContent)
      .toMatchObject({ state: 'ended', answer: 'Done.' });
    await client.close();
  }
  const ask = (headers: Readonly<Record<string, string>>) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
  const authorization = `Bearer ${token}`;
  expect((await ask({})).status).toBe(403);
  expect((await ask({ authorization: 'Bearer x' })).status).toBe(401);
  expect((await ask({ authorization, origin: 'https://example.org' })).status).toBe(403);
});
