/** A domain's tools in OpenAI's form, from the checkout's Python sources: signatures, docstrings and argument models. */

import * as z from 'zod';
import { USER_TOOLS_FILE } from '../../benchmarks/tau3/content/index.ts';
import { readPython } from '../import/index.ts';
import type { Tau3Files } from './files.ts';

/** File of a pack → the source with its tools, and the source with their models. */
const SOURCES = {
  'tools.json': ['tools.py', 'data_model.py'],
  [USER_TOOLS_FILE]: ['user_tools.py', 'user_data_model.py'],
} as const;

const answerSchema = z.object({ files: z.record(z.string(), z.string()) });

/**
 * @param made the pack's files to make
 * @returns their texts
 * @throws PackError for missing or unreadable sources
 */
export async function readToolSchemas(
  files: Tau3Files,
  domain: string,
  made: readonly (keyof typeof SOURCES)[],
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, string>>> {
  const sources: Record<string, string> = {};
  const toolkits: Record<string, string[]> = {};
  for (const name of made) {
    toolkits[name] = [];
    for (const source of SOURCES[name]) {
      const path = `src/tau2/domains/${domain}/${source}`;
      if (source !== 'tools.py' && (await files.find(path)) === undefined) continue;
      sources[path] = await files.text(path);
      toolkits[name].push(path);
    }
  }
  return (await readPython({ benchmark: 'tau3', sources, toolkits }, answerSchema, env)).files;
}
