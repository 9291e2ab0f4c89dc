/**
 * The names of attributes by the conventions of OpenTelemetry for generative AI, as of version 1.41 of its semantic
 * conventions. They are in development: another version is another table.
 */
export const GENAI = {
  schema: 'https://opentelemetry.io/schemas/1.41.0',
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.name',
  workflow: 'gen_ai.workflow.name',
  conversation: 'gen_ai.conversation.id',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCall: 'gen_ai.tool.call.id',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  outputMessages: 'gen_ai.output.messages',
  error: 'error.type',
} as const;

/** The values of `gen_ai.operation.name` that runs have. */
export const OPERATION = {
  chat: 'chat',
  tool: 'execute_tool',
  agent: 'invoke_agent',
  workflow: 'invoke_workflow',
} as const;

/** The variable by which a person asks for the texts of models and tools in spans. */
export const CONTENT_VARIABLE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
