/** The user's tools for a VPN. */

import { isDict, repr, type PyDict, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { userReadTool, userWriteTool } from '../tool.ts';
import { device, isOn, setDevice } from './phone.ts';
import { withStatusBar } from './status-bar.ts';

/**
 * The server of a VPN. The reference has a fast one, which some tasks make slow for all later episodes of the process;
 * its recordings always have the slow one.
 */
const SERVER: PyDict = new Map<string, PyValue>([
  ['server_address', '192.168.1.1'],
  ['protocol', 'OpenVPN'],
  ['server_performance', 'poor'],
]);

export const checkVpnStatus = userReadTool('check_vpn_status', [], (store) => {
  if (isOn(store, 'vpn_connected')) {
    const details = device(store, 'vpn_details');
    if (!isDict(details)) return 'VPN is ON and connected (no specific details available).';
    return `VPN is ON and connected. Details: ${detailsText(details)}`;
  }
  if (isOn(store, 'vpn_enabled_setting')) return 'VPN is turned ON in settings, but currently not connected.';
  return 'VPN is turned OFF.';
});

/** `repr` of the dump, in which the performance is a member of an enum. */
function detailsText(details: PyDict): string {
  const shown = Array.from(details, ([name, value]) => {
    const text = repr(value);
    const isMember = name === 'server_performance' && typeof value === 'string';
    return `'${name}': ${isMember ? `<PerformanceLevel.${value.toUpperCase()}: ${text}>` : text}`;
  });
  return `{${shown.join(', ')}}`;
}

export const connectVpnTool = userWriteTool('connect_vpn', [], (store) => {
  if (isOn(store, 'vpn_connected')) return 'VPN already connected.';
  connectVpn(store);
  return withStatusBar(store, 'VPN connected successfully.');
});

export const disconnectVpnTool = userWriteTool('disconnect_vpn', [], (store) =>
  withStatusBar(
    store,
    disconnectVpn(store) ? 'VPN disconnected successfully.' : 'No active VPN connection to disconnect.',
  ),
);

export function connectVpn(store: Store): void {
  setDevice(store, { vpn_connected: true, vpn_details: SERVER });
}

/** Disconnects the VPN. @returns false if it was not connected */
export function disconnectVpn(store: Store): boolean {
  if (!isOn(store, 'vpn_connected')) return false;
  setDevice(store, { vpn_connected: false, vpn_details: null });
  return true;
}
