/** Whether a catalogue's commands and an environment's tools fit together. */

import type { Catalogue } from './types.ts';

/**
 * @param tools names of the environment's tools
 * @param toolNames tools by command name, where the two have different names
 * @returns one sentence for each thing that does not fit; none when all is well
 */
export function checkCatalogue(
  catalogue: Catalogue,
  tools: readonly string[],
  toolNames: Readonly<Record<string, string>>,
): readonly string[] {
  const problems: string[] = [];
  const served = new Set<string>(catalogue.withoutCommand);
  const mapped = new Map(Object.entries(toolNames));
  for (const [command, tool] of mapped) {
    if (catalogue.find(command)?.name !== command) {
      problems.push(
        `The tool-name map says that ${command} is the tool ${tool}, but there is no command ${command}: ` +
          'correct the name or leave the entry out.',
      );
    }
  }
  for (const { name } of catalogue.commands) {
    const tool = mapped.get(name) ?? name;
    served.add(tool);
    if (tools.includes(tool)) continue;
    problems.push(
      mapped.has(name)
        ? `The tool-name map says that ${name} is the tool ${tool}, which the environment does not have: ` +
            `correct the name, else every ${name} fails.`
        : `The environment has no tool for the command ${name}, so every ${name} fails: ` +
            'name its tool in the tool-name map, if it has another name.',
    );
  }
  for (const tool of tools) {
    if (served.has(tool)) continue;
    problems.push(
      `The environment's tool ${tool} has no command, so the agent cannot use it: ` +
        'add it to the catalogue, or name it in the tool-name map, if a command is meant for it.',
    );
  }
  return problems;
}
