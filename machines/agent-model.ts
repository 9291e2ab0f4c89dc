/** The beginning of the name of a model where an agent of others takes its place in a run. */
const AGENT = 'agent:';

/** The model that a run records for an agent of others. */
export const modelOfAgent = (agent: string): string => `${AGENT}${agent}`;

/** Tells whether an agent of others takes the place of a model. */
export const isAgentModel = (model: string): boolean => model.startsWith(AGENT);

/** The name of the agent that takes the place of a model. Null: it is a model. */
export const agentOfModel = (model: string): string | null => (isAgentModel(model) ? model.slice(AGENT.length) : null);
