export { callTool, makeCall, type CallResult, type ToolCall } from './call.ts';
export { findTool, toolMap, type DatabaseTable, type Side, type Tau3Domain } from './domain.ts';
export { defineTool, type NameOf, type Parameter, type Requestor, type Tau3Tool, type ToolKind } from './tool.ts';
export { databaseText } from './state.ts';
export { tau3Domains } from './domains.ts';
