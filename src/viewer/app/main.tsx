/** Starts the app on both pages: the report with its data in the file, and the view with a server. */

import { render } from 'preact';
import './theme.css';
import './page.css';
import { readPayload } from './embedded-source.ts';
import { ReportApp } from './report-app.tsx';
import { ViewApp } from './view-app.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');
root.textContent = '';
const payload = readPayload();
render(payload === null ? <ViewApp /> : <ReportApp payload={payload} />, root);
