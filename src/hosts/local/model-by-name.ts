import type { Model } from '../../actors/model/model.ts';
import { ModelError } from '../../actors/model/model.ts';
import { loadScript } from '../../actors/model/script-file.ts';

const SCRIPT = 'script:';

/** The model a run's settings name, loaded when it is first asked. `script:FILE` is read from FILE. */
export function modelNamed(name: string): Model {
  let loading: Promise<Model> | null = null;
  return {
    name,
    answer: async (request, call) => {
      loading ??= load(name);
      return (await loading).answer(request, call);
    },
  };
}

async function load(name: string): Promise<Model> {
  if (name.startsWith(SCRIPT)) return loadScript(name.slice(SCRIPT.length));
  throw new ModelError('unknown_model', `no model is called ${name}; known: script:FILE, or a model given to the library`);
}
