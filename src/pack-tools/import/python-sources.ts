/** Has a checkout's Python sources read by `adapters/import`, a Python program that parses them and runs none of them. */

import { execFile } from 'node:child_process';
import * as z from 'zod';
import { PackError } from '../../benchmarks/packs/index.ts';
import { UsageError } from '../../errors/index.ts';
import { adapterFolder, environmentSetting } from '../../io/index.ts';

const INTERPRETER = 'TAUFLOW_PYTHON';
/** Isolated: without packages, settings from the environment, and modules from the working folder. */
const FLAGS = ['-I', '-S', '-B', '-W', 'ignore'];
/** Longest time to read a checkout, in milliseconds; tau-bench takes one second. */
const TIMEOUT_MS = 60_000;
/** Most characters of all sources; tau-bench has 1.2 million. */
const MAX_SOURCES = 8_000_000;
const MAX_OUTPUT_BYTES = 1 << 28;

/** Input of the program. Its modules document the further fields that they need. */
interface Request {
  readonly benchmark: string;
  /** Path in the checkout → text. */
  readonly sources: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const refusalSchema = z.object({ refused: z.string() });

/**
 * @param schema form of the answer
 * @throws PackError with file and line for sources that cannot be read, UsageError without a usable Python
 */
export async function readPython<T>(request: Request, schema: z.ZodType<T>, env: NodeJS.ProcessEnv): Promise<T> {
  let size = 0;
  for (const [path, text] of Object.entries(request.sources)) {
    size += text.length;
    if (size <= MAX_SOURCES) continue;
    throw new PackError(`${path}: with this file the Python sources are too large; give a checkout as published.`);
  }
  const named = environmentSetting(env, INTERPRETER);
  for (const interpreter of named === undefined ? ['python3', 'python'] : [named]) {
    const output = await run(interpreter, JSON.stringify(request), env);
    if (output === undefined) continue;
    const answer: unknown = JSON.parse(output);
    const refusal = refusalSchema.safeParse(answer);
    if (refusal.success) throw new PackError(refusal.data.refused);
    return schema.parse(answer);
  }
  throw new UsageError(
    `${named ?? 'Python'} was not found, which is needed to parse the checkout's sources; ` +
      `install Python 3.9 or newer, or name it in ${INTERPRETER}.`,
  );
}

/** @returns what the program prints; undefined if there is no such interpreter */
function run(interpreter: string, input: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = adapterFolder('import');
  const options = {
    cwd: folder,
    env,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(interpreter, [...FLAGS, folder], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (error.code === 'ENOENT') resolve(undefined);
      else {
        const end =
          error.killed === true ? 'was stopped' : `ended with ${error.signal ?? `code ${String(error.code)}`}`;
        // Its last line is an error, or the path of the file that it has begun to parse.
        const last = stderr.trimEnd().split('\n').at(-1) ?? '';
        reject(
          new PackError(
            `${interpreter} ${end} while it parsed the checkout's sources (${last}); ` +
              `name a Python of 3.9 or newer in ${INTERPRETER}, or give a checkout as published.`,
          ),
        );
      }
    });
    // The program may end before it has read everything.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
