import { z } from 'zod';

const NAME = 'the name of an environment variable';

export const VariableName = z.string({ error: NAME }).regex(/^[A-Za-z_]\w*$/, NAME);
