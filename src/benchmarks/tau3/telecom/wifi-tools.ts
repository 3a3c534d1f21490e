/** The user's tools for Wi-Fi and calls over it. */

import { str } from '../../python/index.ts';
import { userReadTool, userWriteTool } from '../tool.ts';
import { WIFI_GONE } from './network-tools.ts';
import { device, isOn, setDevice, toggle } from './phone.ts';
import { withStatusBar } from './status-bar.ts';

export const checkWifiStatus = userReadTool('check_wifi_status', [], (store) => {
  if (!isOn(store, 'wifi_enabled')) return 'Wi-Fi is turned OFF.';
  if (!isOn(store, 'wifi_connected')) return 'Wi-Fi is ON but not connected to any network.';
  const signal = str(device(store, 'wifi_signal_strength'));
  return `Wi-Fi is ON and connected to '${str(device(store, 'wifi_ssid'))}'. Signal strength: ${signal}.`;
});

export const toggleWifi = userWriteTool('toggle_wifi', [], (store) => {
  if (isOn(store, 'airplane_mode')) {
    return withStatusBar(store, 'Cannot change Wi-Fi settings while Airplane Mode is ON.');
  }
  const on = toggle(store, 'wifi_enabled');
  if (!on) setDevice(store, WIFI_GONE);
  return withStatusBar(store, `Wi-Fi is now ${on ? 'ON' : 'OFF'}.`);
});

export const checkWifiCallingStatus = userReadTool(
  'check_wifi_calling_status',
  [],
  (store) => `Wi-Fi Calling is currently turned ${isOn(store, 'wifi_calling_enabled') ? 'ON' : 'OFF'}.`,
);
