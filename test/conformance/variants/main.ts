/**
 * `node --import tsx test/conformance/variants/main.ts [PACK]`: prints the table of effects.md, which docs/conformance.md sums up. Without a pack it takes
 * the benchmark's retail tasks where a machine has them, else the shipped ones.
 */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPack } from '../../../src/benchmarks/testing.ts';
import { referenceDir } from '../../helpers/reference-folder.ts';
import { Stage } from '../fastworkflow-stage.ts';
import { tableHead, tableLine, VARIANTS } from './measure.ts';

const shipped = fileURLToPath(new URL('../../../data/retail', import.meta.url));
const usual = referenceDir === null ? shipped : join(referenceDir, 'retail');
const stage = new Stage(await readPack(process.argv[2] ?? usual));
process.stdout.write(`${tableHead().join('\n')}\n`);
for (const name of Object.keys(VARIANTS)) process.stdout.write(`${await tableLine(stage, name)}\n`);
