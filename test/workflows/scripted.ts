/** The scripted model as tests use it: a server that plays a pack's tasks, and the call that reaches it. */

import { createModelCaller, type CallModel } from '../../src/models/index.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { startScriptedModel, type ScriptedModelOptions } from '../../src/scripted-model/index.ts';

export interface ScriptedCaller {
  readonly callModel: CallModel;
  close(): Promise<void>;
}

export async function startScriptedCaller(options: ScriptedModelOptions): Promise<ScriptedCaller> {
  const model = await startScriptedModel(options);
  return {
    callModel: createModelCaller((provider) => resolveProvider(provider, {}, { scriptedUrl: model.url })),
    close: () => model.close(),
  };
}
