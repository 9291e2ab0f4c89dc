import type { ModelRequest } from '../../../src/actors/model/model.ts';

const read = { name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } };

/** The request of one step, in a run that says hello and may read. */
export function requestOf(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: null,
    messages: [{ role: 'user', text: 'hello' }],
    tools: [read],
    run: '01900000-0000-7000-8000-000000000000',
    step: 0,
    iteration: 0,
    ...changes,
  };
}
