import type * as sdk from '@modelcontextprotocol/client';

const PACKAGE = '@modelcontextprotocol/client';

/** The SDK, which is loaded only where servers are named. */
export type Sdk = typeof sdk;

/** Servers are named, and what speaks to them is not installed. */
export class McpMissingError extends Error {
  override readonly name = 'McpMissingError';
}

/** Loads the SDK. Throws a `McpMissingError` where it is not installed. */
export async function loadClient(): Promise<Sdk> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const message = `MCP servers are named, and ${PACKAGE} is not installed. Install it: npm install ${PACKAGE}`;
    throw new McpMissingError(message, { cause });
  }
}
