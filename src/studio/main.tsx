import { render } from 'preact';
import { RunScreen } from './run-screen.tsx';
import { Shell } from './shell.tsx';
import { embedded } from './page-source.ts';

const root = document.getElementById('studio');
const given = embedded();
if (root) render(given ? <RunScreen run={given.view.run} given={given} /> : <Shell />, root);
performance.mark('first paint');
