/** The body of `tauflow data import-fastworkflow`. */

import { access, mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { importWorkflow } from '../../pack-tools/import-fastworkflow/index.ts';
import { writeFileAtomically } from '../../io/index.ts';
import { UsageError } from '../../errors/index.ts';
import { printJson, shownPath, type CliContext } from '../context.ts';
import type { ImportFlags } from './import-flags.ts';

const FILES = { catalogue: 'catalogue.json', weights: 'classifier.json', agent: 'agent.ts' } as const;

/**
 * Writes an agent file with the workflow's catalogue and a classifier trained for it.
 * @param source the workflow's folder
 * @throws UsageError, PackError with one sentence
 */
export async function importFastWorkflow(
  source: string,
  flags: Omit<ImportFlags, 'benchmark'>,
  context: CliContext,
): Promise<void> {
  const folder = resolve(context.cwd, source);
  const name = flags.name ?? agentName(basename(folder));
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name) || name === 'fastworkflow') {
    throw new UsageError(
      `"${name}" cannot be the agent's name; give it another one with --name: small letters, digits and -.`,
    );
  }
  const out = resolve(context.cwd, flags.out ?? name);
  const isTaken = await access(join(out, FILES.catalogue)).then(
    () => true,
    () => false,
  );
  if (isTaken && flags.replace !== true) {
    const shown = shownPath(out, context.cwd);
    throw new UsageError(
      `${shown} has an imported workflow; replace it with --replace, or choose another folder with --out.`,
    );
  }
  const { catalogue, weights, read, notes } = await importWorkflow(folder);
  await mkdir(out, { recursive: true });
  await writeFileAtomically(join(out, FILES.catalogue), `${JSON.stringify(catalogue, null, 2)}\n`);
  await writeFileAtomically(join(out, FILES.weights), `${JSON.stringify(weights)}\n`);
  await writeFileAtomically(join(out, FILES.agent), agentFile(name));
  const commands = catalogue.commands.map((command) => command.name).sort();
  if (flags.json === true) {
    printJson({ name, folder: out, commands, read, notes }, context);
    return;
  }
  context.out(`${commands.length} commands from ${read.length} files: ${commands.join(', ')}`);
  for (const note of notes) context.out(`note: ${note}`);
  const agent = shownPath(join(out, FILES.agent), context.cwd);
  context.out(`agent ${name} in ${agent}, with ${FILES.catalogue} and ${FILES.weights}`);
  context.out(`run with: tauflow run --agent-strategy ${agent.startsWith('/') ? agent : `./${agent}`} --task-ids 0,1`);
}

/** `retail_workflow` → `retail-workflow` */
function agentName(folder: string): string {
  const words = folder
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const name = words.join('-').replace(/^[^a-z]+/, '');
  return name === '' || name === 'fastworkflow' ? 'imported-workflow' : name.slice(0, 40);
}

function agentFile(name: string): string {
  return `/** FastWorkflow with the commands of a workflow, as \`tauflow data import-fastworkflow\` has read them. */

import { createClassifier, createFastWorkflow, readCatalogue } from 'tauflow/agents/fastworkflow';
import catalogue from './${FILES.catalogue}';
import weights from './${FILES.weights}';

export default {
  ...createFastWorkflow({ catalogue: readCatalogue(catalogue), classifier: createClassifier(weights) }),
  name: '${name}',
  label: 'FW ${name.slice(0, 37)}',
};
`;
}
