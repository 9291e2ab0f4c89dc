import { z } from 'zod';

const NAME = 'a name of letters, digits, - and _, of at most 24 characters';
const SERVER = '{ command, args, env } of a program, or { type: "http", url, headers } of an address';

const texts = z.record(z.string(), z.string());
const Program = z.object({
  type: z.literal('stdio').optional(),
  command: z.string().regex(/\S/),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
});
const Address = z.object({
  type: z.enum(['http', 'streamable-http']),
  url: z.string().regex(/^(https?:\/\/|\$\{)/),
  headers: texts.optional(),
});

/** The most servers of one source. */
const MAX_SERVERS = 50;

/** Servers of the Model Context Protocol by their names, as the files of other programs have them. */
export const McpServers = z
  .record(z.string().regex(/^[a-zA-Z0-9_-]{1,24}$/, { error: NAME }), z.union([Address, Program], { error: SERVER }), {
    error: `an object with servers by their names: ${SERVER}`,
  })
  .refine((servers) => Object.keys(servers).length <= MAX_SERVERS, { error: `at most ${MAX_SERVERS} servers` });
export type McpServers = z.infer<typeof McpServers>;

/** A file with servers, such as `.mcp.json`. What else it holds is of other programs. */
export const McpFile = z.object({ mcpServers: McpServers });

/** Files with MCP servers that are read, in a project and where they are named. */
export const MCP_FILE = '.mcp.json';

/**
 * A text with the variables that it names: `${NAME}`, or `${NAME:-other}` where it may be missing. A variable that is
 * missing is left as it is written, and `missing` is told of it.
 *
 * @example
 * withVariables('Bearer ${TOKEN}', { TOKEN: 'x' }, () => {}); // 'Bearer x'
 */
export const withVariables = (
  text: string,
  variables: { readonly [name: string]: string | undefined },
  missing: (name: string) => void,
): string =>
  text.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (written, name: string, other: string | undefined) => {
    const value = variables[name] ?? other;
    if (value === undefined) missing(name);
    return value ?? written;
  });
