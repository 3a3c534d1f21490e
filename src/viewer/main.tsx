/** Mounts the report page. */

import './theme.css';
import './page.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { readPayload } from './data.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');
root.textContent = '';
render(<App payload={readPayload()} />, root);
