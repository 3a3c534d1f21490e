/** Which addresses alerts are posted to: what a schedule is told, and what a worker finds in its environment. */

/**
 * Why nothing is posted there, to follow "the webhook"; null for a good address. Comparisons name models and tasks, so
 * they leave the machine encrypted only.
 */
export function problemOfWebhook(address: string): string | null {
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#\s]+)(?:[/?#]\S*)?$/i.exec(address) ?? [];
  switch (scheme.toLowerCase()) {
    case 'https':
      return null;
    case 'http':
      return isLoopback(authority) ? null : 'must be an https:// address (http:// only on this machine)';
    default:
      return 'must be an https:// address';
  }
}

/** @param authority `user@host:port`, of which the last two matter */
function isLoopback(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d+$/, '');
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
