/** Mounts the report page. */

import { render } from 'preact';
import { App } from './app.tsx';
import './theme.css';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');
render(<App />, root);
