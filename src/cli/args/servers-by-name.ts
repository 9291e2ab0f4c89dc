import { isAbsolute, join, relative, resolve } from 'node:path';
import type { McpServerSpec } from '../../agents/mcp/server-spec.ts';
import { boundedRead, type FileText } from '../../config/read-within.ts';
import type { Effective } from '../../config/load-config.ts';
import { MCP_FILE, McpFile, type McpServers, withVariables } from '../../config/mcp-file.ts';
import { exists, foldersUpwards } from '../../config/places.ts';
import { plain } from '../../projections/phrases.ts';
import { faultsOf, faultSentence } from '../../options/config-fault.ts';
import { jsonIn } from '../../text/json-in.ts';
import { usage } from '../pages/complaint.ts';
import { trustIn } from '../terminal/ask-trust.ts';
import { askingFor, type Called } from './session-config.ts';

const MAX_FILE_BYTES = 1_000_000;
const REASON = 'it names MCP servers, which are programs and addresses';

interface Named {
  readonly servers: McpServers;
  readonly isOfWorkspace: boolean;
}

export interface NamedServers {
  readonly specs: readonly McpServerSpec[];
  readonly warnings: readonly string[];
}

/**
 * The MCP servers of a call: those of `.mcp.json` in the project, of the configuration, and of `--mcp-config`. Of one
 * name the last counts. A file in the project names none before a person has trusted it, as it is.
 */
export async function namedServers(called: Called, { values, from }: Effective): Promise<NamedServers> {
  const warnings: string[] = [];
  const { directory } = called;
  const configured: Named = {
    servers: values.mcpServers ?? {},
    isOfWorkspace: isWithin(directory, from.get('mcpServers')?.file ?? '/'),
  };
  const all = [
    await ofProject(called, warnings),
    configured,
    ...(values.mcpConfig === undefined ? [] : [await ofFile(called, resolve(directory, values.mcpConfig))]),
  ];
  const byName = new Map<string, McpServerSpec>();
  for (const { servers, isOfWorkspace } of all)
    for (const [name, server] of Object.entries(servers))
      byName.set(
        name,
        specOf(name, server, isOfWorkspace, (one) => warnings.push(one)),
      );
  return { specs: [...byName.values()].filter((spec) => !isThisProgram(spec)), warnings };
}

/** The file of the project. One that is not trusted, or cannot be read, names no server, and is told of. */
async function ofProject(called: Called, warnings: string[]): Promise<Named> {
  const none = { servers: {}, isOfWorkspace: true };
  for (const folder of await foldersUpwards(called.directory)) {
    const path = join(folder, MCP_FILE);
    if (!(await exists(path))) continue;
    const read = await boundedRead(path, MAX_FILE_BYTES);
    const servers = read.kind === 'unread' ? `${path} ${read.why}` : serversIn(path, read);
    if (typeof servers === 'string') warnings.push(servers);
    else if (read.kind === 'text' && Object.keys(servers).length > 0 && (await isTrusted(called, path, read, warnings)))
      return { servers, isOfWorkspace: true };
    return none;
  }
  return none;
}

async function isTrusted(called: Called, path: string, read: FileText, warnings: string[]): Promise<boolean> {
  if ((await trustIn({ path, ...read }, REASON, askingFor(called, false))) === 'read') return true;
  warnings.push(
    `${path} is not trusted: ${REASON}. They are not started. Read it, then say yes on a terminal, or --trust`,
  );
  return false;
}

/** A file that the call names. In the workspace it has to be trusted, too: agents write there. */
async function ofFile(called: Called, path: string): Promise<Named> {
  const read = await boundedRead(path, MAX_FILE_BYTES);
  if (read.kind === 'unread') throw usage('--mcp-config', 'a file with MCP servers', `${path}, which ${read.why}`);
  const servers = serversIn(path, read);
  if (typeof servers === 'string') throw usage('--mcp-config', 'a file with MCP servers', servers);
  const isOfWorkspace = isWithin(called.directory, path);
  const refused: string[] = [];
  if (isOfWorkspace && !(await isTrusted(called, path, read, refused)))
    throw usage('--mcp-config', 'a file that is trusted', refused.join());
  return { servers, isOfWorkspace };
}

/** The servers in a file, or a sentence about what is wrong with it. */
function serversIn(path: string, { text }: FileText): McpServers | string {
  const value = jsonIn(text);
  const parsed = McpFile.safeParse(value);
  if (parsed.success) return parsed.data.mcpServers;
  const [fault] = faultsOf(parsed.error, value, () => []);
  return `${path}: ${fault ? faultSentence(fault) : 'it is not JSON'}`;
}

function specOf(
  name: string,
  server: McpServers[string],
  isOfWorkspace: boolean,
  warn: (message: string) => void,
): McpServerSpec {
  const filled = (text: string) =>
    withVariables(text, process.env, (variable) =>
      warn(`the MCP server ${name} needs the variable ${plain(variable)}`),
    );
  const all = (texts: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, filled(text)]));
  if ('url' in server) return { name, isOfWorkspace, at: { url: filled(server.url), headers: all(server.headers) } };
  const { command, args = [], env } = server;
  return { name, isOfWorkspace, at: { command: filled(command), args: args.map(filled), env: all(env) } };
}

/** This program as a server, for other agents in the same project: a run may not call it on its own log. */
function isThisProgram({ at }: McpServerSpec): boolean {
  if ('url' in at) return false;
  const words = [at.command, ...at.args];
  return words.includes('mcp') && words.some((word) => /(^|\/)loopfold(@[^/]*)?$/.test(word));
}

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
