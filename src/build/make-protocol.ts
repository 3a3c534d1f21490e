/**
 * Writes the documents of the protocols, which ship with the package: `node --import tsx src/build/make-protocol.ts`.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { protocolOpenApi, protocolSchema } from '../agent-service/index.ts';
import { environmentOpenApi, environmentSchema } from './environment-protocol.ts';

const folder = new URL('../../schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
const documents = {
  'turn-protocol.schema': protocolSchema(),
  'turn-protocol.openapi': protocolOpenApi(),
  'environment-protocol.schema': environmentSchema(),
  'environment-protocol.openapi': environmentOpenApi(),
};
for (const [name, document] of Object.entries(documents)) {
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(document, null, 2)}\n`);
}
