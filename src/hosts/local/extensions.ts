// What a program may bring of its own: models and tools. The library's face names engines, so it takes these from here.
export { type Model, type ModelAnswer, ModelError, type ModelRequest } from '../../actors/model/model.ts';
export type { SdkModel } from '../../actors/model/sdk-model.ts';
export { ScriptError } from '../../actors/model/model-script.ts';
export { type AnyScript, scriptedModel } from '../../actors/model/model-script.ts';
export { defineTool } from '../../actors/tools/tool.ts';
export type { Tool, ToolContext, ToolReply } from '../../actors/tools/tool.ts';
export { GitError } from '../../git/process/git.ts';
export { WorkspaceError } from '../../git/bring/write-steps.ts';
