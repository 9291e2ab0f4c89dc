import type { Environment } from './loop-object.ts';

/** A tool of this host. It is given the arguments of the call, as the model wrote them. */
export interface ObjectTool {
  /** It may be done again where the object was lost while it ran. */
  readonly isRepeatable?: boolean;
  run(given: unknown, environment: Environment, signal: AbortSignal): Promise<string>;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Beside them a model may call `ask_user`: the run waits for the answer of a person. */
export const TOOLS: Readonly<Record<string, ObjectTool>> = {
  weekday: {
    isRepeatable: true,
    run: async (given) => DAYS[new Date((given as { readonly date: string }).date).getUTCDay()] ?? 'no date',
  },
  post: {
    run: async (given, { CHANNEL }, signal) => {
      const { status } = await CHANNEL.fetch('http://channel/', {
        method: 'POST',
        body: JSON.stringify(given),
        signal,
      });
      return `status ${status}`;
    },
  },
};
