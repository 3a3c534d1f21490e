/** A workflow's page in Temporal UI. */

/** @param uiUrl without a slash at its end */
export function workflowUrl(uiUrl: string, namespace: string, workflowId: string, runId?: string): string {
  const run = runId === undefined ? '' : `/${runId}/history`;
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}${run}`;
}
