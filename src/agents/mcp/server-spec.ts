/** A server of the Model Context Protocol that is a program, spoken to on its input and output. */
export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that it sees beside the usual ones. */
  readonly env: Readonly<Record<string, string>>;
}

/** One that answers at an address, over streamable HTTP. */
export interface HttpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface McpServerSpec {
  /** Its tools are named `NAME__TOOL`. */
  readonly name: string;
  readonly at: StdioServer | HttpServer;
  /** It is named by a file in the workspace, so that it stays behind the walls where there are some. */
  readonly isOfWorkspace: boolean;
}

/** Puts a command behind the walls. */
export type EnterWalls = (
  command: string,
  environment: Readonly<Record<string, string>>,
) => { readonly command: string; readonly environment: Readonly<Record<string, string>> };
