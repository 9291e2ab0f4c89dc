import type { Call } from './shape.ts';

type Asked = { readonly tool: string; readonly arguments: { readonly [name: string]: string | number } };

/** The call as a model asks for it, of a tool of this library, with made-up arguments. */
export function askedBy(call: Call): Asked {
  const { tool, args, about = 0 } = call;
  const path = `src/f${about}.ts`;
  switch (tool) {
    case 'read':
      return { tool, arguments: { path, startLine: args } };
    case 'search':
      return { tool: 'grep', arguments: { pattern: `word${args}`, path: 'src' } };
    case 'edit':
      return { tool, arguments: { path, oldText: `old ${args}`, newText: `new ${args}` } };
    case 'write':
      return { tool, arguments: { path, content: `text ${args}` } };
    case 'shell':
      return { tool, arguments: { command: commandOf(call) } };
  }
}

function commandOf({ command, args, about = 0, seconds = 0 }: Call): string {
  switch (command) {
    case 'test':
      return `npm test -- ${about} --retry ${args}`;
    case 'compile':
      return `npx tsc -p ${args}`;
    case 'search':
      return `grep -rn word${args} src`;
    case 'list':
      return `ls -w ${args} src/d${about}`;
    case 'read':
      return `sed -n ${args},${args + 40}p src/f${about}.ts`;
    case 'write':
      return `printf 'text ${args}' > src/f${about}.ts`;
    case 'wait':
      return `sleep ${seconds}; cat out/f${about}-${args}.txt`;
    case 'start':
      return `node src/server${about}.ts ${args} &`;
    default:
      return `node src/program${about}.ts ${args}`;
  }
}

/** The answer of a call, as the tool of this library prints it: tools that change a file do not show it. */
export function outputOf(call: Call): string {
  const { tool, about = 0, args, result, failed, empty, exit = 0, none, red = [], errors = [] } = call;
  if (tool === 'search' && none) return '[no line matches]';
  if (tool === 'edit' && !failed) return `src/f${about}.ts: the new text is in place`;
  if (tool === 'write' && !failed) return `src/f${about}.ts: ${`text ${args}`.length} bytes written`;
  const lines = [
    ...(empty ? [] : [`result ${result}`]),
    ...red.map((test, index) => `not ok ${index + 1} - test t${test}`),
    ...errors.map((error) => `src/f${error}.ts(3,1): error TS2304: message ${error}`),
    ...(exit === 0 || tool !== 'shell' ? [] : [`[exit code ${Math.abs(exit)}]`]),
  ];
  return lines.join('\n') || '[no output]';
}
