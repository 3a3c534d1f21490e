/** Pythons with packages that a few tests need; `.ci/run` makes them, and names them in these variables. */

import { execFileSync } from 'node:child_process';

/** The modules that the Python of a variable has. */
const MODULES = {
  MOTO_PYTHON: 'moto.server, flask',
  INSPECT_PYTHON: 'inspect_ai, pandas, pyarrow',
  TAU2_PYTHON: 'tau2.agent.base_agent',
  TAUFLOW_TAU2_PYTHON: 'tau2.registry, rank_bm25',
  TAU2_MCP_PYTHON: 'tau2_mock_mcp',
  OPENENV_PYTHON: 'openenv.core.env_server, fastmcp, uvicorn',
  A2A_PYTHON: 'a2a.server.routes',
  A2A_03_PYTHON: 'a2a.server.apps',
} as const;

/** LiteLLM, which τ³-bench imports, else asks the network for prices. */
export function pythonEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' };
}

/** @returns the Python that the variable names, or `python3`; null, after a line that says so, where it lacks a module */
export function findPython(variable: keyof typeof MODULES, tests: string): string | null {
  const python = process.env[variable] ?? 'python3';
  try {
    execFileSync(python, ['-c', `import ${MODULES[variable]}`], { stdio: 'ignore', env: pythonEnvironment() });
    return python;
  } catch {
    process.stderr.write(`${tests} are skipped: set ${variable} to a Python that imports ${MODULES[variable]}\n`);
    return null;
  }
}
