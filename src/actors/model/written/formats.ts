import type { WrittenFormat } from './format.ts';
import { callsIn } from './json-calls.ts';
import { functions, invocations, toolCalls } from './calls-in-tags.ts';
import {
  afterPythonTag,
  afterToolCall,
  afterToolCalls,
  deepSeekCalls,
  harmonyCalls,
  kimiCalls,
} from './token-calls.ts';

/** The formats in which models are known to write calls as text, with the families that write so. */
export const WRITTEN_FORMATS: readonly WrittenFormat[] = [
  {
    families: /qwen|qwq|hermes|glm/i,
    opening: /^[ \t]*<tool_call>/gm,
    closing: '</tool_call>',
    mark: 'tag',
    read: toolCalls,
  },
  {
    families: /qwen|llama/i,
    opening: /^[ \t]*<function=/gm,
    closing: '</function>',
    mark: 'tag',
    read: functions,
  },
  {
    families: /minimax/i,
    opening: /^[ \t]*<(?:[a-z]+:)?(?:function_calls|tool_call)>\s*(?=<invoke )/gm,
    closing: '</invoke>',
    mark: 'tag',
    read: invocations,
  },
  {
    families: /deepseek/i,
    opening: /<｜DSML｜function_calls>/g,
    closing: '</｜DSML｜function_calls>',
    mark: 'token',
    read: invocations,
  },
  {
    families: /deepseek/i,
    opening: /<｜tool▁calls?▁begin｜>/g,
    closing: '<｜tool▁calls▁end｜>',
    mark: 'token',
    read: deepSeekCalls,
  },
  {
    families: /llama/i,
    opening: /<\|python_tag\|>/g,
    closing: '<|eom_id|>',
    mark: 'token',
    read: afterPythonTag,
  },
  {
    families: /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral/i,
    opening: /\[TOOL_CALLS\]/g,
    closing: '</s>',
    mark: 'token',
    read: afterToolCalls,
  },
  {
    families: /kimi/i,
    opening: /<\|tool_calls_section_begin\|>|<\|tool_call_begin\|>/g,
    closing: '<|tool_calls_section_end|>',
    mark: 'token',
    read: kimiCalls,
  },
  {
    families: /granite|phi-?\d/i,
    opening: /<\|tool_call\|>/g,
    closing: '<|/tool_call|>',
    mark: 'token',
    read: afterToolCall,
  },
  {
    families: /gpt-oss/i,
    opening: /(?:<\|start\|>assistant)?<\|channel\|>commentary to=functions\./g,
    closing: '<|call|>',
    mark: 'token',
    read: harmonyCalls,
  },
  {
    families: /llama|qwen/i,
    opening: /^(?=\s*(?:```|[{[]))/g,
    closing: '',
    mark: 'none',
    read: (block) => callsIn(block.replace(/^```(?:json)?\s/, '').replace(/```$/, '')),
  },
];
