/** Writes the documents of the turn protocol, which the package has: `node --import tsx src/build/make-protocol.ts`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { protocolOpenApi, protocolSchema } from '../agent-service/index.ts';

const folder = new URL('../../schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, document] of Object.entries({ schema: protocolSchema(), openapi: protocolOpenApi() })) {
  writeFileSync(new URL(`turn-protocol.${name}.json`, folder), `${JSON.stringify(document, null, 2)}\n`);
}
