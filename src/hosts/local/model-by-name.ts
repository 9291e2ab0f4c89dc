import { type Model, ModelError } from '../../actors/model/model.ts';
import { loadScript } from '../../actors/model/script-file.ts';

const SCRIPT = 'script:';

/** A model that is loaded when it is first needed. */
export interface NamedModel extends Model {
  readonly load: () => Promise<Model>;
}

/** The model that a run's settings name: `script:FILE` is read from FILE. */
export function modelNamed(name: string): NamedModel {
  let loading: Promise<Model> | null = null;
  // What is not there now may be there when it is asked for again.
  const load = () =>
    (loading ??= named(name).catch((error: unknown) => {
      loading = null;
      throw error;
    }));
  return { name, load, answer: async (request, call) => (await load()).answer(request, call) };
}

async function named(name: string): Promise<Model> {
  if (name.startsWith(SCRIPT)) return loadScript(name.slice(SCRIPT.length));
  throw new ModelError('unknown_model', `no model is called ${name}; known: script:FILE, or a model given to the library`);
}
