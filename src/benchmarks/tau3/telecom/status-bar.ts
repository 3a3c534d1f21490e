/** The status bar of the user's phone, a line that ends many of the user's observations. */

import { str, type PyValue } from '../../python/index.ts';
import type { Store } from '../../domain.ts';
import { device, isOn } from './phone.ts';

const NO_SIGNAL = '📵 No Signal';

const SIGNALS: ReadonlyMap<PyValue, string> = new Map([
  ['none', NO_SIGNAL],
  ['poor', '📶¹ Poor'],
  ['fair', '📶² Fair'],
  ['good', '📶³ Good'],
  ['excellent', '📶⁴ Excellent'],
]);

export function statusBar(store: Store): string {
  const shown = isOn(store, 'airplane_mode') ? ['✈️ Airplane Mode'] : networkIcons(store);
  if (isOn(store, 'wifi_enabled') && isOn(store, 'wifi_connected')) {
    const network = device(store, 'wifi_ssid');
    shown.push(network === null || network === '' ? '📡 Enabled' : `📡 Connected to ${str(network)}`);
  }
  if (isOn(store, 'vpn_connected')) shown.push('🔒 VPN Connected');
  shown.push(`🔋 ${str(device(store, 'battery_level'))}%`);
  return shown.join(' | ');
}

function networkIcons(store: Store): string[] {
  const signal = SIGNALS.get(device(store, 'network_signal_strength')) ?? NO_SIGNAL;
  const technology = device(store, 'network_technology_connected');
  if (technology === 'none') return [signal, '📵 Data Disabled'];
  const icons = [signal, str(technology)];
  if (!isOn(store, 'data_enabled')) return [...icons, '📵 Data Disabled'];
  return [...icons, '📱 Data Enabled', ...(isOn(store, 'data_saver_mode') ? ['🔽 Data Saver'] : [])];
}

/** Adds the status bar to a tool's text. */
export function withStatusBar(store: Store, text: string): string {
  return `${text}\nStatus Bar: ${statusBar(store)}`;
}
